// One of the nine bands of the coarse grid's matrix R A P at four points of the coarse grid.
//
// Inputs    bands, nine texels for each texel of the fine grid, with the sums of rows in the middle; diagonal, of the matrix;
//           r and p, the weights of restriction and interpolation, nine texels for each texel of the coarse grid, of which the
//           middle one counts as 1;
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

// The part of a fine row of the four points: i to the right, j above. Loops visit only what the neighbour reaches: a software renderer
// executes both sides of a branch.
vec4 from_row(int i, int j) {
    // The columns, seen from the neighbour, are nearer than a step.
    ivec2 middle = step_by * neighbour - ivec2(i, j);
    ivec2 from = max(middle - step_by + 1, -1);
    ivec2 to = min(middle + step_by - 1, 1);
    vec4 sum = vec4(0.0);
    for (int l = from.y; l <= to.y; ++l) {
        for (int k = from.x; k <= to.x; ++k) {
            sum += around(bands, place_of(k, l), TEXEL, i, j) * weight_there(k - middle.x, l - middle.y);
        }
    }
    if (all(lessThan(abs(middle), step_by))) {
        // The diagonal in the place of the sum of the row.
        vec4 others = around(diagonal, -1, TEXEL, i, j) - around(bands, 4, TEXEL, i, j);
        sum += others * weight_there(-middle.x, -middle.y);
    }
    return sum;
}

vec4 band() {
    ivec2 from = max(1 - step_by, step_by * neighbour - step_by);
    ivec2 to = min(step_by - 1, step_by * neighbour + step_by);
    vec4 sum = vec4(0.0);
    for (int j = from.y; j <= to.y; ++j) {
        for (int i = from.x; i <= to.x; ++i) {
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
