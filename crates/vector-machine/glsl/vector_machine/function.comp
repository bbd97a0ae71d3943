// A function of the vector machine as a compute shader, one texel per invocation, for devices that run fragments on few of
// their processors.
//
// Inputs: those of include/vector_function.glsl; for a scalar result: vector_invocations, the number of invocations.
// Further texels are 0.
// Defines: GROUP_X, GROUP_Y; FORMAT, the format of the result.
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
