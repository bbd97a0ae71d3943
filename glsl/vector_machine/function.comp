// A function of the vector machine by a compute shader: an invocation a texel, on devices that give
// compute more of themselves than they give fragments.
//
// Inputs: those of include/vector_function.glsl; and to a scalar: invocations, how many there are.
// Texels after them are 0.
// Defines: GROUP_X, GROUP_Y; FORMAT, the texel of the result.
// Output: the image result.
layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;
layout(binding = 0, FORMAT) uniform writeonly highp image2D result;

#undef TEXEL
#define TEXEL ivec2(gl_GlobalInvocationID.xy)
#if QUADS == 1
#define PLACE_OF_QUAD(quad) TEXEL
#else
uniform int invocations;
#endif
#include "include/vector_function.glsl"

void main() {
    if (any(greaterThanEqual(TEXEL, imageSize(result)))) {
        return;
    }
    int invocation = TEXEL.y * imageSize(result).x + TEXEL.x;
#if QUADS == 1
    imageStore(result, TEXEL, compute(invocation));
#else
    float partial = 0.0;
    if (invocation < invocations) {
        partial = compute(invocation);
    }
    imageStore(result, TEXEL, vec4(partial, 0.0, 0.0, 1.0));
#endif
}
