// The reciprocals of the diagonal of tridiagonal matrices that are stored by their couplings and the sums of rows; 0 where the
// diagonal is rounding error, as where a line's matrix is singular, or a device may take it or its reciprocal for zero.
//
// Inputs    sums, lower, upper; diagonal, of the first matrix
// Defines   REMAINING   the result is 1 where a coupling over the diagonal is no rounding error, else 0; the input reciprocals in the
//                       places of sums and of the diagonal
//           those of include/each_texel.glsl
// Output    four reciprocals
uniform sampler2D lower;
uniform sampler2D upper;
#include "include/each_texel.glsl"

#ifdef REMAINING
uniform sampler2D reciprocals;
// Half of the distance of 1 to the next 32-bit float.
const float ROUNDING = 6e-8;

vec4 remaining() {
    vec4 most = max(abs(READ(lower, TEXEL)), abs(READ(upper, TEXEL))) * abs(READ(reciprocals, TEXEL));
    return mix(vec4(0.0), vec4(1.0), greaterThan(most, vec4(ROUNDING)));
}
#else
uniform sampler2D sums;
uniform sampler2D diagonal;
const float LEAST = 1.2e-38;
const float MOST = 8.5e37;
// Of the first diagonal.
const float FLOOR = 1e-6;

vec4 reciprocals() {
    vec4 divisors = READ(sums, TEXEL) - READ(lower, TEXEL) - READ(upper, TEXEL);
    vec4 floors = FLOOR * abs(READ(diagonal, TEXEL));
    vec4 result = vec4(0.0);
    for (int lane = 0; lane < 4; ++lane) {
        float size_of = abs(divisors[lane]);
        bool is_number = size_of > LEAST && size_of < MOST && size_of > floors[lane];
        result[lane] = is_number ? 1.0 / divisors[lane] : 0.0;
    }
    return result;
}
#endif

void main() {
#ifdef REMAINING
    WRITE(remaining());
#else
    WRITE(reciprocals());
#endif
}
