// An expression of the numbers of vectors, four in a texel; or two expressions.
// Defines: RESULTS, 1 or 2. Inputs: those of include/map.glsl. Outputs: the results, with zeros in the padding.
layout(location = 0) out vec4 result_0;
#if RESULTS == 2
layout(location = 1) out vec4 result_1;
#endif
#include "include/map.glsl"

void main() {
    READ_INPUTS(TEXEL)
    result_0 = kept(TEXEL, VALUES_0);
#if RESULTS == 2
    result_1 = kept(TEXEL, VALUES_1);
#endif
}
