// Hands on what a point was given by its vertex shader.
//
// Input: result, of the vertex stage. Define: RESULT, its type.
// Output: texel.
flat in RESULT result;
out RESULT texel;

void main() {
    texel = result;
}
