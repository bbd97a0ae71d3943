// A function of the vector machine by a compute shader: an invocation a texel, on devices that give
// compute more of themselves than they give fragments.
//
// Inputs: those of include/vector_function.glsl; and to a scalar: vector_invocations, how many there
// are. Texels after them are 0.
// Defines: GROUP_X, GROUP_Y; FORMAT, the texel of the result.
// Output: the image vector_result.
layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;
layout(binding = 0, FORMAT) uniform writeonly highp image2D vector_result;

#undef TEXEL
#define TEXEL ivec2(gl_GlobalInvocationID.xy)
#if QUADS == 1
#define PLACE_OF_QUAD(quad) TEXEL
#else
uniform int vector_invocations;
#endif
#include "include/vector_function.glsl"

void main() {
    if (any(greaterThanEqual(TEXEL, imageSize(vector_result)))) {
        return;
    }
    int invocation = TEXEL.y * imageSize(vector_result).x + TEXEL.x;
#if QUADS == 1
    imageStore(vector_result, TEXEL, vector_compute(invocation));
#else
    float partial = 0.0;
    if (invocation < vector_invocations) {
        partial = vector_compute(invocation);
    }
    imageStore(vector_result, TEXEL, vec4(partial, 0.0, 0.0, 1.0));
#endif
}

#include "program.glsl"
