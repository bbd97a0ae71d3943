// A function of the vector machine on the fragment stage: an invocation a texel.
//
// Inputs: those of include/vector_function.glsl; and to a scalar: width, the texels in a row, and
// invocations, how many there are. Texels after them are 0.
// Output: result.
#if QUADS == 1
#define PLACE_OF_QUAD(quad) TEXEL
#else
uniform int width;
uniform int invocations;
#endif
#include "include/vector_function.glsl"

out RESULT result;

void main() {
#if QUADS == 1
    result = compute(TEXEL.y * textureSize(first, 0).x + TEXEL.x);
#else
    int invocation = TEXEL.y * width + TEXEL.x;
    result = 0.0;
    if (invocation < invocations) {
        result = compute(invocation);
    }
#endif
}
