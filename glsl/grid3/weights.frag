// The weights with which four points of a grid enter the points of a finer one before them or behind them along an axis: those of
// the point 2 c + 1 at the points 2 c and 2 c + 2.
//
// The couplings of such a point are added up across the axis, so that its row A u = 0 gives u from the two coarse points. Beside an
// edge across the axis the coupling that is missing there is counted as if it were there, like the opposite one.
//
// Every step is a uniform and every loop ends at one, so that a driver compiles one loop and not all of its turns: that takes long.
//
// Inputs    bands, of the finer grid (include/couplings_around.glsl says in which order); fine, coarse: the shapes of the grids; fine_across and
//           coarse_across, the texels of one image of each along x; fine_width, coarse_width: the points of a line; side, 0 for the weights
//           at the points before, else 1
// Defines   SYMMETRIC_PART or TRANSPOSED, of the matrix, in its place; those of include/fine_points.glsl, include/grid3.glsl and include/each_texel.glsl
// Output    the weights; both are images side by side
// Source: Dendy, "Black box multigrid", J. Comput. Phys. 48 (1982), along one axis; of nonsymmetric matrices Dendy, "Black box
// multigrid for nonsymmetric problems", Appl. Math. Comput. 13 (1983).
uniform sampler2D bands;
uniform ivec4 fine;
uniform ivec4 coarse;
uniform int fine_across;
uniform int coarse_across;
uniform int fine_width;
uniform int coarse_width;
uniform int side;
#include "include/each_texel.glsl"
#include "include/grid3.glsl"
#include "include/fine_points.glsl"
#include "include/couplings_around.glsl"

// A sum below this fraction of its terms is rounding error, and no divisor.
const float FLOOR = 1e-6;
// The largest weight: those of M-matrices are at most 1.
const float LARGEST = 2.0;
// Below it devices may take a number for zero.
const float LEAST = 1.2e-38;

// The coupling of the points between, which are `at` from (2 c, c, c), to their neighbours.
vec4 coupling(ivec3 place, ivec3 at, ivec3 by) {
#ifdef TRANSPOSED
    return stored(-by, place, at + by);
#elif defined(SYMMETRIC_PART)
    return 0.5 * (stored(by, place, at) + stored(-by, place, at + by));
#else
    return stored(by, place, at);
#endif
}

// What there is of an axis among three.
vec4 of_axis(vec4 all[3]) { return along.x != 0 ? all[0] : along.y != 0 ? all[1] : all[2]; }

void main() {
    ivec3 place = place_of(TEXEL - ivec2(side * coarse_across, 0), coarse);
    ivec3 at = 2 * side * along;
    vec4 row_sum = stored(ivec3(0), place, at);
    vec4 diagonal = row_sum;
    // The magnitudes of couplings across the axis; the sums of those to the two sides of x, y and z, and of their magnitudes.
    vec4 across = vec4(0.0);
    vec4 before[3];
    vec4 behind[3];
    vec4 size_before[3];
    vec4 size_behind[3];
    for (int axis = 0; axis < 3; ++axis) {
        before[axis] = behind[axis] = size_before[axis] = size_behind[axis] = vec4(0.0);
    }
    for (int slot = 0; slot < numbers; ++slot) {
        ivec3 by = neighbour(slot);
        if (by == ivec3(0)) {
            continue;
        }
        vec4 number = coupling(place, at, by);
#if defined(TRANSPOSED) || defined(SYMMETRIC_PART)
        // What is stored in the middle is the sum of a row of the matrix itself.
        vec4 own = number_in(slot, place, at);
        diagonal -= own;
        row_sum += number - own;
#else
        diagonal -= number;
#endif
        across += by * along == ivec3(0) ? abs(number) : vec4(0.0);
        for (int axis = 0; axis < 3; ++axis) {
            vec4 first = by[axis] < 0 ? number : vec4(0.0);
            vec4 last = by[axis] > 0 ? number : vec4(0.0);
            before[axis] += first;
            behind[axis] += last;
            size_before[axis] += abs(first);
            size_behind[axis] += abs(last);
        }
    }
    vec4 missing = vec4(0.0);
    for (int other = 0; other < 3; ++other) {
        if (along[other] == 0) {
            vec4 none_before = vec4(equal(size_before[other], vec4(0.0)));
            vec4 none_behind = vec4(equal(size_behind[other], vec4(0.0)));
            missing -= none_before * behind[other] + none_behind * before[other];
        }
    }
    vec4 magnitude = across + abs(diagonal);
    vec4 divisor = row_sum - clamp(missing, vec4(0.0), max(row_sum, vec4(0.0))) - of_axis(before) - of_axis(behind);
    // The coarse points are behind those before them, and before those behind them.
    vec4 towards = side == 0 ? of_axis(behind) : of_axis(before);
    vec4 weights = vec4(0.0);
    for (int lane = 0; lane < 4; ++lane) {
        if (!(magnitude[lane] > LEAST)) {
            weights[lane] = 0.0;
        } else if (!(abs(divisor[lane]) > FLOOR * magnitude[lane])) {
            weights[lane] = 0.5;
        } else {
            weights[lane] = clamp(-towards[lane] / divisor[lane], -LARGEST, LARGEST);
        }
    }
    WRITE(masked(weights, place, coarse, coarse_width));
}
