// What is needed of the rows of a nine-banded matrix to smooth with it and to coarsen it.
//
// Inputs    the coefficients (include/coefficients.glsl); size, the extent of the grid
// Defines   those of include/coefficients.glsl and include/each_texel.glsl
// Output    of four points: the reciprocals of the sums of magnitudes of rows, or of the diagonal, and 0 where a device may take the
//           number or its reciprocal for zero; the diagonal; and numbers whose sums over the grid tell how to smooth and to coarsen it: how
//           strongly the points are coupled along x, and along y, and how many of them much more strongly along one of the two. The
//           strengths are the magnitudes of couplings to the two sides, added up across the axis, over the diagonal, at most 4
#define TARGETS 3
uniform ivec2 size;
#include "include/each_texel.glsl"
#include "include/band_place.glsl"
#include "include/coefficients.glsl"

const float LEAST = 1.2e-38;
const float MOST = 8.5e37;
const float STRONGEST = 4.0;
// How many times as strong couplings along one axis must be for a point to count as one-sided.
const float STRONGER = 4.0;

vec4 number(int k) { return coefficient(k, TEXEL, size); }

vec4 reciprocals(vec4 divisors) {
    vec4 result = vec4(0.0);
    for (int lane = 0; lane < 4; ++lane) {
        float size_of = abs(divisors[lane]);
        result[lane] = size_of > LEAST && size_of < MOST ? 1.0 / divisors[lane] : 0.0;
    }
    return result;
}

vec4 strengths(vec4 couplings, vec4 diagonal) {
    vec4 result = vec4(0.0);
    for (int lane = 0; lane < 4; ++lane) {
        float divisor = abs(diagonal[lane]);
        result[lane] = divisor > LEAST ? min(couplings[lane] / divisor, STRONGEST) : 0.0;
    }
    return result;
}

void all_numbers(out vec4 scaling, out vec4 diagonal, out vec4 measures) {
    vec4 lower_left = number(0);
    vec4 lower = number(1);
    vec4 lower_right = number(2);
    vec4 left = number(3);
    vec4 right = number(5);
    vec4 upper_left = number(6);
    vec4 upper = number(7);
    vec4 upper_right = number(8);
    diagonal = number(4) - lower_left - lower - lower_right - left - right - upper_left - upper - upper_right;
    scaling = reciprocals(abs(lower_left) + abs(lower) + abs(lower_right) + abs(left) + abs(right) + abs(upper_left)
        + abs(upper) + abs(upper_right) + abs(diagonal));
    vec4 along_x = strengths(abs(lower_left + left + upper_left) + abs(lower_right + right + upper_right), diagonal);
    vec4 along_y = strengths(abs(lower_left + lower + lower_right) + abs(upper_left + upper + upper_right), diagonal);
    bvec4 one_sided = greaterThan(max(along_x, along_y), STRONGER * min(along_x, along_y));
    vec4 places = mix(vec4(0.0), vec4(1.0), one_sided);
    measures = vec4(dot(along_x, vec4(1.0)), dot(along_y, vec4(1.0)), dot(places, vec4(1.0)), 0.0);
}

void main() {
    vec4 scaling, diagonal, measures;
    all_numbers(scaling, diagonal, measures);
    WRITE_ALL(scaling, diagonal, measures);
}
