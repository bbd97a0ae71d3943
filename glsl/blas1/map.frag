// An expression of the numbers of vectors, four in a texel; or two expressions. A dispatch has an invocation for each texel, and reads
// textures: on an NVIDIA H200 groups of one row, and buffers, were slower.
//
// Defines   TARGETS, 2 for two expressions; SUMMED, of a dispatch, if the last expression is not a result but added up
//           (include/map_summed.glsl); those of include/each_texel.glsl
// Inputs    those of include/map.glsl
// Outputs   the results, with zeros in the padding
#include "include/map.glsl"
#include "include/each_texel.glsl"
#ifdef TARGETS
#define WRITE_RESULTS WRITE_ALL(kept(TEXEL, VALUES_0), kept(TEXEL, VALUES_1));
#else
#define WRITE_RESULTS WRITE(kept(TEXEL, VALUES_0));
#endif
#ifdef SUMMED
#include "include/map_summed.glsl"

void main() {
    vec4 counted = vec4(0.0);
    if (INSIDE) {
        READ_INPUTS(TEXEL)
        WRITE_RESULTS
        if (counts()) {
            counted = SUMMED_VALUES;
        }
    }
    add_up(counted);
}
#else

void main() {
    if (INSIDE) {
        READ_INPUTS(TEXEL)
        WRITE_RESULTS
    }
}
#endif
