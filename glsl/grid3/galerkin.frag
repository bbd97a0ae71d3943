// Numbers of the matrix R A P of a grid that is coarser along one axis: for four points their couplings to one neighbour.
//
// Each is a sum over the fine points around the coarse one, and over the neighbours of these that the coarse neighbour enters.
//
// Every step is a uniform and every loop ends at one, so that a driver compiles one loop and not all of its turns: that takes long.
//
// Inputs    bands, of the finer grid (include/couplings_around.glsl says in which order); r and p, the
//           weights of restriction and of interpolation, each two images side by side; fine, coarse: the shapes of the grids;
//           fine_across and coarse_across, the texels of one image of each along x; fine_width, coarse_width: the points of a line;
//           slot, the column in images where the target begins; towards, -1, 0 or 1: the step to the neighbour along the axis; across,
//           the step to it across the axis
// Defines   those of include/fine_points.glsl, include/grid3.glsl and include/each_texel.glsl
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
uniform int towards;
uniform ivec3 across;
#include "include/each_texel.glsl"
#include "include/grid3.glsl"
#include "include/fine_points.glsl"
#include "include/couplings_around.glsl"

// The coupling of the fine points that are `at` from (2 c, c, c) to their neighbours, a step along the axis and the one across.
vec4 coupling(ivec3 place, ivec3 at, int step) {
    ivec3 by = step * along + across;
    vec4 number = stored(by, place, at);
    // With the sum of the row, which is in the middle, it becomes the diagonal.
    int others = by == ivec3(0) ? numbers : 0;
    for (int slot = 0; slot < others; ++slot) {
        if (slot != numbers / 2) {
            number -= number_in(slot, place, at);
        }
    }
    return number;
}

// The weight of a coarse point at the fine point that is a step away along the axis.
vec4 weight(sampler2D weights, ivec3 place, ivec3 by, int step) {
    if (step == 0) {
        return vec4(1.0);
    }
    int first = step < 0 ? 0 : coarse_across;
    return shifted(weights, first, coarse, coarse_width, place + ivec3(0, by.yz), by.x);
}

void main() {
    ivec3 place = place_of(TEXEL - ivec2(slot, 0), coarse);
    vec4 sum = vec4(0.0);
    for (int step = max(-1, 2 * towards - 2); step <= min(1, 2 * towards + 2); ++step) {
        vec4 here = weight(r, place, ivec3(0), step);
        for (int next = max(-1, 2 * towards - 1 - step); next <= min(1, 2 * towards + 1 - step); ++next) {
            // Where that neighbour is, seen from the coarse one.
            int from_there = step + next - 2 * towards;
            vec4 there = weight(p, place, towards * along + across, from_there);
            sum += here * coupling(place, (1 + step) * along, next) * there;
        }
    }
    WRITE(masked(sum, place, coarse, coarse_width));
}
