// Hands on what a point was given by its vertex shader.
//
// Input: vector_result, of the vertex stage. Define: RESULT, its type.
// Output: texel.
flat in RESULT vector_result;
out RESULT texel;

void main() {
    texel = vector_result;
}
