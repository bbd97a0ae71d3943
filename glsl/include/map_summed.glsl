// The sum of the last expression of blas1/map.frag over a window of texels, by work groups.
//
// Requires  what blas1/map.frag includes; GROUP_X, GROUP_Y
// Inputs    window           the texels from (window.x, window.y) to (window.z, window.w)
// Outputs   the image `sums`, a texel for each group
// Provides  counts(), whether the texel is in the window; SUMMED_VALUES, its numbers; add_up() of include/group_sum.glsl
#ifdef TARGETS
#define SUMMED_VALUES VALUES_2
layout(binding = 2, rgba32f) uniform writeonly highp image2D sums;
#else
#define SUMMED_VALUES VALUES_1
layout(binding = 1, rgba32f) uniform writeonly highp image2D sums;
#endif
uniform ivec4 window;
#include "include/group_sum.glsl"

bool counts() { return all(greaterThanEqual(TEXEL, window.xy)) && all(lessThan(TEXEL, window.zw)); }
