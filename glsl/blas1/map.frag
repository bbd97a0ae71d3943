// An expression of the numbers of vectors, four in a texel; or two expressions. A dispatch has an invocation for each texel, and reads
// textures: on an NVIDIA H200 groups of one row, and buffers, were slower.
//
// Defines   TARGETS, 2 for two expressions; SUMMED, of a dispatch, if the last expression is not a result but added up over the texels
//           from (window.x, window.y) to (window.z, window.w); those of include/each_texel.glsl
// Inputs    those of include/map.glsl, and the window
// Outputs   the results, with zeros in the padding; the image `sums`, a texel for each group
#include "include/map.glsl"
#include "include/each_texel.glsl"
#ifdef SUMMED
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
#endif

void main() {
#ifdef SUMMED
    vec4 counted = vec4(0.0);
#endif
    if (INSIDE) {
        READ_INPUTS(TEXEL)
#ifdef TARGETS
        WRITE_ALL(kept(TEXEL, VALUES_0), kept(TEXEL, VALUES_1));
#else
        WRITE(kept(TEXEL, VALUES_0));
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
