// The same by a compute shader, one texel an invocation. Inputs are textures and results images: on an NVIDIA H200 groups of one
// row, and buffers, were slower.
// Defines: GROUP_X, GROUP_Y, the invocations of a group along x and y; RESULTS. Inputs: those of include/map.glsl. Outputs: the
// images of the results.
layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;
layout(binding = 0, rgba32f) uniform writeonly highp image2D result_0;
#if RESULTS == 2
layout(binding = 1, rgba32f) uniform writeonly highp image2D result_1;
#endif
#undef TEXEL
#define TEXEL ivec2(gl_GlobalInvocationID.xy)
#include "include/map.glsl"

void main() {
    if (any(greaterThanEqual(TEXEL, imageSize(result_0)))) {
        return;
    }
    READ_INPUTS(TEXEL)
    imageStore(result_0, TEXEL, kept(TEXEL, VALUES_0));
#if RESULTS == 2
    imageStore(result_1, TEXEL, kept(TEXEL, VALUES_1));
#endif
}
