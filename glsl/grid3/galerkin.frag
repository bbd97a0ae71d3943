// Numbers of the matrix R A P of a grid that is coarser along one axis: for four points their couplings to one neighbour.
//
// Each is a sum over the fine points around the coarse one, and over the neighbours of these that the coarse neighbour enters.
//
// Inputs    bands, of the finer grid (include/star.glsl says in which order); r and p, the
//           weights of restriction and of interpolation, each two images side by side; fine, coarse: the shapes of the grids;
//           fine_across and coarse_across, the texels of one image of each along x; fine_width, coarse_width: the points of a line;
//           slot, the column in images where the target begins; across, the step to the neighbour across the axis
// Defines   AXIS, 0, 1 or 2; TOWARDS, -1, 0 or 1: the step to the neighbour along the axis; SAME_LINE, `across` is 0; STAR; those of include/grid3.glsl and include/each_texel.glsl
// Output    the couplings
// Source: Dendy, "Black box multigrid", J. Comput. Phys. 48 (1982), along one axis.
uniform sampler2D bands;
uniform sampler2D r;
uniform sampler2D p;
uniform ivec4 fine;
uniform ivec4 coarse;
uniform int fine_across;
uniform int coarse_across;
uniform int fine_width;
uniform int coarse_width;
uniform int slot;
#include "include/each_texel.glsl"
#include "include/grid3.glsl"
#include "include/fine_points.glsl"
#include "include/star.glsl"

const ivec3 ALONG = AXIS == 0 ? ivec3(1, 0, 0) : AXIS == 1 ? ivec3(0, 1, 0) : ivec3(0, 0, 1);

vec4 stored(int k, ivec3 place, ivec3 at) { return fine_numbers(bands, SLOT(k) * fine_across, place, at); }

#ifdef SAME_LINE
const ivec3 ACROSS = ivec3(0);

// Number k of the row, with which the sum of the row becomes the diagonal.
vec4 other(int k, ivec3 place, ivec3 at) { return stored(k, place, at); }

vec4 diagonal(ivec3 place, ivec3 at) {
    vec4 number = stored(13, place, at) - other(12, place, at) - other(14, place, at);
    number -= other(10, place, at) + other(16, place, at) + other(4, place, at) + other(22, place, at);
#ifndef STAR
    number -= other(0, place, at) + other(1, place, at) + other(2, place, at) + other(3, place, at) + other(5, place, at);
    number -= other(6, place, at) + other(7, place, at) + other(8, place, at) + other(9, place, at) + other(11, place, at);
    number -= other(15, place, at) + other(17, place, at) + other(18, place, at) + other(19, place, at) + other(20, place, at);
    number -= other(21, place, at) + other(23, place, at) + other(24, place, at) + other(25, place, at) + other(26, place, at);
#endif
    return number;
}
#else
uniform ivec3 across;
#define ACROSS across
#endif

// The coupling of the fine points that are `at` from (2 c, c, c) to their neighbours, a step along the axis and the one across.
vec4 coupling(ivec3 place, ivec3 at, int step) {
    ivec3 by = step * ALONG + ACROSS;
#ifdef SAME_LINE
    return step == 0 ? diagonal(place, at) : stored(9 * by.z + 3 * by.y + by.x + 13, place, at);
#else
    return IS_COUPLED(by.x, by.y, by.z) ? stored(9 * by.z + 3 * by.y + by.x + 13, place, at) : vec4(0.0);
#endif
}

// The weight of a coarse point at the fine point that is a step away along the axis.
vec4 weight(sampler2D weights, ivec3 place, ivec3 by, int step) {
    if (step == 0) {
        return vec4(1.0);
    }
    int first = step < 0 ? 0 : coarse_across;
    return shifted(weights, first, coarse, coarse_width, place + ivec3(0, by.yz), by.x);
}

// What the fine points a step from the coarse one, and their neighbours the next step from these, add.
vec4 term(ivec3 place, int step, int next) {
    // Where that neighbour is, seen from the coarse one.
    int from_there = step + next - 2 * TOWARDS;
    if (abs(from_there) > 1) {
        return vec4(0.0);
    }
    vec4 there = weight(p, place, TOWARDS * ALONG + ACROSS, from_there);
    return weight(r, place, ivec3(0), step) * coupling(place, (1 + step) * ALONG, next) * there;
}

void main() {
    ivec3 place = place_of(TEXEL - ivec2(slot, 0), coarse);
    vec4 sum = term(place, -1, -1) + term(place, -1, 0) + term(place, -1, 1);
    sum += term(place, 0, -1) + term(place, 0, 0) + term(place, 0, 1);
    sum += term(place, 1, -1) + term(place, 1, 0) + term(place, 1, 1);
    WRITE(masked(sum, place, coarse, coarse_width));
}
