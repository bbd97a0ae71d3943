// A vector of the fine grid plus the interpolation of one of the coarse grid.
//
// Inputs    x, the fine vector; e, the coarse one; weights, nine texels for each texel of the coarse grid, of which the middle one
//           counts as 1; coarse_size
// Defines   STEP_X, STEP_Y, 2 or 1; those of include/band_place.glsl and include/each_texel.glsl
// Output    x + P e
// Source: Dendy, "Black box multigrid" (1982).
uniform sampler2D x;
uniform sampler2D e;
uniform sampler2D weights;
uniform ivec2 coarse_size;
#include "include/each_texel.glsl"
#include "include/band_place.glsl"

vec4 weight(int i, int j, ivec2 place) {
    return i == 0 && j == 0 ? vec4(1.0) : READ(weights, band_place(place_of(i, j), place, coarse_size));
}

// What a row of the coarse grid gives to the row of the fine grid that is j above it.
vec4 from_row(int y, int j) {
    if (y < 0 || y >= coarse_size.y) {
        return vec4(0.0);
    }
#if STEP_X == 1
    ivec2 place = ivec2(TEXEL.x, y);
    return weight(0, j, place) * READ(e, place);
#else
    // The points 2 TEXEL.x - 1 to 2 TEXEL.x + 1 of the coarse row.
    ivec2 place = ivec2(TEXEL.x >> 1, y);
    bool is_odd = (TEXEL.x & 1) == 1;
    vec4 to_left = vec4(0.0);
    vec4 here = vec4(0.0);
    vec4 to_right = vec4(0.0);
    float from_before = 0.0;
    if (place.x < coarse_size.x) {
        vec4 coarse = READ(e, place);
        to_left = weight(-1, j, place) * coarse;
        here = weight(0, j, place) * coarse;
        to_right = weight(1, j, place) * coarse;
    }
    if (is_odd) {
        return vec4(to_right.y + to_left.z, here.z, to_right.z + to_left.w, here.w);
    }
    if (place.x > 0) {
        ivec2 before = place - ivec2(1, 0);
        from_before = (weight(1, j, before) * READ(e, before)).w;
    }
    return vec4(from_before + to_left.x, here.x, to_right.x + to_left.y, here.y);
#endif
}

vec4 prolonged() {
#if STEP_Y == 1
    return from_row(TEXEL.y, 0);
#else
    // A software renderer executes both sides of a branch: so the row is one, and its place beside a coarse row a number.
    int y = TEXEL.y >> 1;
    bool is_odd = (TEXEL.y & 1) == 1;
    vec4 from_above = from_row(y, is_odd ? 0 : -1);
    vec4 from_below = from_row(y - 1, 1);
    return is_odd ? from_above : from_above + from_below;
#endif
}

void main() {
    WRITE(READ(x, TEXEL) + prolonged());
}
