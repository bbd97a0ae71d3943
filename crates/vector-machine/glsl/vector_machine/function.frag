// A function of the vector machine on the fragment stage, one texel per invocation.
//
// Inputs: those of include/vector_function.glsl; for a scalar result: vector_width, the texels in a row, and
// vector_invocations, the number of invocations. Further texels are 0.
// Output: vector_result.
#if QUADS == 1
#define PLACE_OF_QUAD(quad) TEXEL
#else
uniform int vector_width;
uniform int vector_invocations;
#endif
#include "include/vector_function.glsl"

out RESULT vector_result;

void main() {
#if QUADS == 1
    vector_result = vector_compute(TEXEL.y * textureSize(vector_1, 0).x + TEXEL.x);
#else
    int invocation = TEXEL.y * vector_width + TEXEL.x;
    vector_result = 0.0;
    if (invocation < vector_invocations) {
        vector_result = vector_compute(invocation);
    }
#endif
}

#include "program.glsl"
