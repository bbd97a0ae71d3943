// Numbers of the matrix R A P of a grid that is coarser along one axis: for four points their couplings to one neighbour.
//
// Each is a sum over the fine points around the coarse one, and over the neighbours of these that the coarse neighbour enters.
//
// Inputs    bands, of the finer grid (include/star.glsl says in which order); r and p, the
//           weights of restriction and of interpolation, each two images side by side; fine, coarse: the shapes of the grids;
//           fine_across and coarse_across, the texels of one image of each along x; fine_width, coarse_width: the points of a line;
//           slot, the column in images where the target begins; across, the step to the neighbour across the axis
// Defines   AXIS, 0, 1 or 2; TOWARDS, -1, 0 or 1: the step to the neighbour along the axis; STAR; those of include/grid3.glsl
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
uniform ivec3 across;
#include "include/grid3.glsl"
#include "include/fine_points.glsl"
#include "include/star.glsl"
out vec4 value;

const ivec3 ALONG = AXIS == 0 ? ivec3(1, 0, 0) : AXIS == 1 ? ivec3(0, 1, 0) : ivec3(0, 0, 1);

vec4 stored(int k, ivec3 place, ivec3 at) { return fine_numbers(bands, SLOT(k) * fine_across, place, at); }

// The coupling of the fine points that are `at` from (2 c, c, c) to their neighbours; in the middle what is stored is the sum of the row.
vec4 coupling(ivec3 place, ivec3 at, ivec3 by) {
    if (!IS_COUPLED(by.x, by.y, by.z)) {
        return vec4(0.0);
    }
    vec4 number = stored(9 * by.z + 3 * by.y + by.x + 13, place, at);
    if (by == ivec3(0)) {
        for (int l = -1; l <= 1; ++l) {
            for (int j = -1; j <= 1; ++j) {
                for (int i = -1; i <= 1; ++i) {
                    ivec3 other = ivec3(i, j, l);
                    if (IS_COUPLED(i, j, l) && other != ivec3(0)) {
                        number -= stored(9 * l + 3 * j + i + 13, place, at);
                    }
                }
            }
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
    for (int i = -1; i <= 1; ++i) {
        for (int next = -1; next <= 1; ++next) {
            // Where that neighbour is, seen from the coarse one.
            int from_there = i + next - 2 * TOWARDS;
            if (abs(from_there) <= 1) {
                vec4 number = coupling(place, (1 + i) * ALONG, next * ALONG + across);
                vec4 there = weight(p, place, TOWARDS * ALONG + across, from_there);
                sum += weight(r, place, ivec3(0), i) * number * there;
            }
        }
    }
    value = masked(sum, place, coarse, coarse_width);
}
