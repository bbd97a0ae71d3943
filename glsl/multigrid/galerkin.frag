// Four of the nine bands of the coarse grid's matrix R A P at four points of the coarse grid: those to the right and above, which are
// all that a symmetric matrix needs, or those to the left and below.
//
// Each is a sum over the fine points around the coarse one, and over the neighbours of these that the coarse neighbour enters. Every loop
// ends at a uniform, so that a driver compiles one loop and not all of its turns: that takes long.
//
// Inputs    the coefficients of the fine grid (include/coefficients.glsl); diagonal, of the matrix;
//           r and p, the weights of restriction and interpolation, nine texels for each texel of the coarse grid, of which the
//           middle one counts as 1; fine_size, coarse_size; side, 1, or -1 for the bands to the left and below; targets, 4
// Defines   those of include/fine_numbers.glsl, include/band_place.glsl and include/each_texel.glsl
// Output    the bands of the neighbours right, upper left, above, upper right; or left, lower right, below, lower left
// Source: Dendy, "Black box multigrid" (1982).
#define TARGETS 4
uniform sampler2D diagonal;
uniform sampler2D r;
uniform sampler2D p;
uniform ivec2 coarse_size;
uniform int side;
uniform int targets;
#include "include/each_texel.glsl"
#include "include/band_place.glsl"
#include "include/coefficients.glsl"
#include "include/fine_numbers.glsl"
#include "include/fine_coefficients.glsl"

const ivec2 STEP = ivec2(STEP_X, STEP_Y);

// The coupling of the points that are `from` away from the four to their neighbours.
vec4 coupling(ivec2 from, ivec2 to) {
    return to == ivec2(0) ? around(diagonal, -1, from.x, from.y) : coefficients_around(place_of(to.x, to.y), from.x, from.y);
}

vec4 weight_here(ivec2 at) {
    return at == ivec2(0) ? vec4(1.0) : READ(r, band_place(place_of(at.x, at.y), TEXEL, coarse_size));
}

// The weights of the coarse points that are `to` away, at the fine points that are `at` away from those.
vec4 weight_there(ivec2 to, ivec2 at) {
    ivec2 place = TEXEL + ivec2(0, to.y);
    if (place.y < 0 || place.y >= coarse_size.y) {
        return vec4(0.0);
    }
    if (at == ivec2(0)) {
        return vec4(1.0);
    }
    int k = place_of(at.x, at.y);
    vec4 here = READ(p, band_place(k, place, coarse_size));
    if (to.x == 0) {
        return here;
    }
    ivec2 next = place + ivec2(to.x, 0);
    ivec2 inside = clamp(next, ivec2(0), coarse_size - 1);
    vec4 texel = READ(p, band_place(k, inside, coarse_size));
    texel = inside == next ? texel : vec4(0.0);
    return to.x < 0 ? vec4(texel.w, here.xyz) : vec4(here.yzw, texel.x);
}

// The band of the coarse neighbours that are `to` away.
vec4 band(ivec2 to) {
    ivec2 there = STEP * to;
    vec4 sum = vec4(0.0);
    // Fine points around the coarse one, a step from those around the neighbour.
    ivec2 first = max(1 - STEP, there - STEP);
    ivec2 last = min(STEP - 1, there + STEP);
    for (int j = first.y; j <= last.y; ++j) {
        for (int i = first.x; i <= last.x; ++i) {
            ivec2 from = ivec2(i, j);
            vec4 here = weight_here(from);
            ivec2 least = max(ivec2(-1), there + 1 - STEP - from);
            ivec2 most = min(ivec2(1), there + STEP - 1 - from);
            for (int l = least.y; l <= most.y; ++l) {
                for (int k = least.x; k <= most.x; ++k) {
                    ivec2 by = ivec2(k, l);
                    sum += here * coupling(from, by) * weight_there(to, from + by - there);
                }
            }
        }
    }
    return sum;
}

void main() {
    vec4 beside = vec4(0.0);
    vec4 across = vec4(0.0);
    vec4 above = vec4(0.0);
    vec4 diagonally = vec4(0.0);
    for (int target = 0; target < targets; ++target) {
        ivec2 to = side * ivec2(target == 0 ? 1 : target - 2, target == 0 ? 0 : 1);
        vec4 numbers = band(to);
        if (target == 0) {
            beside = numbers;
        } else if (target == 1) {
            across = numbers;
        } else if (target == 2) {
            above = numbers;
        } else {
            diagonally = numbers;
        }
    }
    WRITE_ALL(beside, across, above, diagonally);
}
