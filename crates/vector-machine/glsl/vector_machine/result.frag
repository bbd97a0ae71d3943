// Writes the vertex shader's result of a point.
//
// Input: vector_result, of the vertex stage. Define: RESULT, its type.
// Output: texel.
flat in RESULT vector_result;
out RESULT texel;

void main() {
    texel = vector_result;
}
