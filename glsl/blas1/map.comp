// The same by a compute shader, one texel an invocation. Inputs are textures and results images: on an NVIDIA H200 groups of one
// row, and buffers, were slower.
// Defines: GROUP_X, GROUP_Y, the invocations of a group along x and y; RESULTS; SUMMED if the last expression is not a result but
// added up over the texels from (window.x, window.y) to (window.z, window.w). Inputs: those of include/map.glsl, and the window.
// Outputs: the images of the results; the image `sums`, a texel for each group.
layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;
layout(binding = 0, rgba32f) uniform writeonly highp image2D result_0;
#if RESULTS == 2
layout(binding = 1, rgba32f) uniform writeonly highp image2D result_1;
#endif
#undef TEXEL
#define TEXEL ivec2(gl_GlobalInvocationID.xy)
#include "include/map.glsl"
#ifdef SUMMED
#if RESULTS == 2
#define SUMMED_VALUES VALUES_2
#else
#define SUMMED_VALUES VALUES_1
#endif
layout(binding = RESULTS, rgba32f) uniform writeonly highp image2D sums;
uniform ivec4 window;
#include "include/group_sum.glsl"

bool counts() { return all(greaterThanEqual(TEXEL, window.xy)) && all(lessThan(TEXEL, window.zw)); }
#endif

void main() {
#ifdef SUMMED
    vec4 counted = vec4(0.0);
#endif
    if (all(lessThan(TEXEL, imageSize(result_0)))) {
        READ_INPUTS(TEXEL)
        imageStore(result_0, TEXEL, kept(TEXEL, VALUES_0));
#if RESULTS == 2
        imageStore(result_1, TEXEL, kept(TEXEL, VALUES_1));
#endif
#ifdef SUMMED
        if (counts()) {
            counted = SUMMED_VALUES;
        }
#endif
    }
#ifdef SUMMED
    add_up(counted);
#endif
}
