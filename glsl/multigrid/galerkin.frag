// One of the nine bands of the coarse grid's matrix R A P at four points of the coarse grid.
//
// Inputs    bands, nine texels for each texel of the fine grid, with the sums of rows in the middle; diagonal, of the matrix; r and p, the weights of restriction
//           and interpolation, nine texels for each texel of the coarse grid, of which the middle one counts as 1;
//           step_by, fine_size, coarse_size; neighbour, not (0, 0): where the column is
// Defines   those of include/band_place.glsl and include/each_texel.glsl
// Output    the band
// Source: Dendy, "Black box multigrid" (1982).
uniform sampler2D bands;
uniform sampler2D diagonal;
uniform sampler2D r;
uniform sampler2D p;
uniform ivec2 coarse_size;
uniform ivec2 neighbour;
#include "include/each_texel.glsl"
#include "include/band_place.glsl"
#include "include/fine_numbers.glsl"

// The weights of the neighbours of the four points.
vec4 weight_there(int i, int j) {
    int y = TEXEL.y + neighbour.y;
    if (y < 0 || y >= coarse_size.y) {
        return vec4(0.0);
    }
    if (i == 0 && j == 0) {
        return vec4(1.0);
    }
    int k = place_of(i, j);
    vec4 here = READ(p, band_place(k, ivec2(TEXEL.x, y), coarse_size));
    int x = TEXEL.x + neighbour.x;
    vec4 beside = vec4(0.0);
    if (neighbour.x != 0 && x >= 0 && x < coarse_size.x) {
        beside = READ(p, band_place(k, ivec2(x, y), coarse_size));
    }
    return neighbour.x == 0 ? here : neighbour.x < 0 ? vec4(beside.w, here.xyz) : vec4(here.yzw, beside.x);
}

// The part of a fine row of the four points: i to the right, j above.
vec4 from_row(int i, int j) {
    vec4 sum = vec4(0.0);
    for (int l = -1; l <= 1; ++l) {
        for (int k = -1; k <= 1; ++k) {
            // The column, seen from the neighbour.
            ivec2 there = ivec2(i + k, j + l) - step_by * neighbour;
            if (all(lessThan(abs(there), step_by))) {
                vec4 coupling = k == 0 && l == 0 ? around(diagonal, -1, TEXEL, i, j) : around(bands, place_of(k, l), TEXEL, i, j);
                sum += coupling * weight_there(there.x, there.y);
            }
        }
    }
    return sum;
}

vec4 band() {
    vec4 sum = vec4(0.0);
    for (int j = 1 - step_by.y; j < step_by.y; ++j) {
        for (int i = 1 - step_by.x; i < step_by.x; ++i) {
            vec4 weight = vec4(1.0);
            if (i != 0 || j != 0) {
                weight = READ(r, band_place(place_of(i, j), TEXEL, coarse_size));
            }
            sum += weight * from_row(i, j);
        }
    }
    return sum;
}

#ifndef GROUP_X
void main() {
    WRITE(band());
}
#endif
