// The scales of sums of squares in three accumulators (include/fold.glsl).
//
// Provides  UP, DOWN        by which small and large numbers are multiplied
//           root_of(sums)   the root of the sum of all squares, from the sums of the large, the medium and the small ones
#include "include/nan.glsl"

const float UP = 3.09485010e26; // 2^88
const float DOWN = 3.23117427e-27; // 2^-88

// Roots come before scales: compilers join factors, and the square of DOWN is 0.
float root_of(vec4 sums) {
    float all_of = sums.x + sums.y + sums.z;
    if (is_nan_of(all_of)) {
        return all_of;
    }
    vec3 roots = sqrt(sums.xyz);
    if (sums.x > 0.0) {
        float medium = roots.y / roots.x * DOWN;
        return roots.x * sqrt(1.0 + medium * medium) * UP;
    }
    if (sums.y > 0.0) {
        float small = roots.z / roots.y * DOWN;
        return roots.y * sqrt(1.0 + small * small);
    }
    return roots.z * DOWN;
}
