// What is needed of the rows of a nine-banded matrix to smooth with it and to coarsen it.
//
// Inputs    bands, with the sums of rows in the middle; size, the extent of the grid
// Defines   OF_DIAGONAL, reciprocals of the diagonal; those of include/band_place.glsl and include/each_texel.glsl
// Output    of four points: the reciprocals of the sums of magnitudes of rows, or of the diagonal, and 0 where a device may take the
//           number or its reciprocal for zero; the diagonal; and how strongly points are coupled along x and along y: the magnitudes
//           of couplings to the two sides, added up across the axis, over the diagonal, at most 4
#define FOUR
uniform sampler2D bands;
uniform ivec2 size;
#include "include/each_texel.glsl"
#include "include/band_place.glsl"

const float LEAST = 1.2e-38;
const float MOST = 8.5e37;
const float STRONGEST = 4.0;

vec4 number(int k) { return READ(bands, band_place(k, TEXEL, size)); }

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

void all_numbers(out vec4 scaling, out vec4 diagonal, out vec4 along_x, out vec4 along_y) {
    vec4 lower_left = number(0);
    vec4 lower = number(1);
    vec4 lower_right = number(2);
    vec4 left = number(3);
    vec4 right = number(5);
    vec4 upper_left = number(6);
    vec4 upper = number(7);
    vec4 upper_right = number(8);
    diagonal = number(4) - lower_left - lower - lower_right - left - right - upper_left - upper - upper_right;
#ifdef OF_DIAGONAL
    scaling = reciprocals(diagonal);
#else
    scaling = reciprocals(abs(lower_left) + abs(lower) + abs(lower_right) + abs(left) + abs(right) + abs(upper_left)
        + abs(upper) + abs(upper_right) + abs(diagonal));
#endif
    along_x = strengths(abs(lower_left + left + upper_left) + abs(lower_right + right + upper_right), diagonal);
    along_y = strengths(abs(lower_left + lower + lower_right) + abs(upper_left + upper + upper_right), diagonal);
}

#ifndef GROUP_X
void main() {
    vec4 scaling, diagonal, along_x, along_y;
    all_numbers(scaling, diagonal, along_x, along_y);
    WRITE_FOUR(scaling, diagonal, along_x, along_y);
}
#endif
