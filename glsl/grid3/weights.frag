// The weights with which four points of a grid enter the points of a finer one before them or behind them along an axis: those of
// the point 2 c + 1 at the points 2 c and 2 c + 2.
//
// The couplings of such a point are added up across the axis, so that its row A u = 0 gives u from the two coarse points. Beside an
// edge across the axis the coupling that is missing there is counted as if it were there, like the opposite one.
//
// Inputs    bands, of the finer grid (include/star.glsl says in which order); fine, coarse: the shapes of the grids; fine_across and
//           coarse_across, the texels of one image of each along x; fine_width, coarse_width: the points of a line
// Defines   AXIS, 0, 1 or 2; SIDE, 0 for the weights at the points before, else 1; STAR; SYMMETRIC_PART or TRANSPOSED, of the matrix, in its place; those of include/grid3.glsl and include/each_texel.glsl
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
#include "include/each_texel.glsl"
#include "include/grid3.glsl"
#include "include/fine_points.glsl"
#include "include/star.glsl"

// A sum below this fraction of its terms is rounding error, and no divisor.
const float FLOOR = 1e-6;
// The largest weight: those of M-matrices are at most 1.
const float LARGEST = 2.0;
// Below it devices may take a number for zero.
const float LEAST = 1.2e-38;

int number_of(ivec3 by) { return 9 * by.z + 3 * by.y + by.x + 13; }

// What is stored of the points between for number k; at their neighbours (i, j, l).
vec4 stored(int k, ivec3 place, ivec3 at) { return fine_numbers(bands, SLOT(k) * fine_across, place, at); }

// The coupling of the points between to their neighbours.
vec4 coupling(ivec3 place, ivec3 at, ivec3 by) {
#ifdef TRANSPOSED
    return stored(number_of(-by), place, at + by);
#elif defined(SYMMETRIC_PART)
    return 0.5 * (stored(number_of(by), place, at) + stored(number_of(-by), place, at + by));
#else
    return stored(number_of(by), place, at);
#endif
}

const ivec3 ALONG = AXIS == 0 ? ivec3(1, 0, 0) : AXIS == 1 ? ivec3(0, 1, 0) : ivec3(0, 0, 1);
const ivec3 AT = 2 * SIDE * ALONG;

// The sums of couplings to the two sides of x, y and z, and of their magnitudes.
vec4 sides[6];
vec4 sizes[6];
// The sum of the row, its diagonal, and the magnitudes of couplings across the axis.
vec4 row_sum;
vec4 diagonal;
vec4 across;

void visit(int i, int j, int l, ivec3 place) {
    ivec3 by = ivec3(i, j, l);
    vec4 number = coupling(place, AT, by);
#if defined(TRANSPOSED) || defined(SYMMETRIC_PART)
    // What is stored in the middle is the sum of a row of the matrix itself.
    vec4 own = stored(number_of(by), place, AT);
    diagonal -= own;
    row_sum += number - own;
#else
    diagonal -= number;
#endif
    if (by * ALONG == ivec3(0)) {
        across += abs(number);
    }
    if (i != 0) {
        sides[i < 0 ? 0 : 1] += number;
        sizes[i < 0 ? 0 : 1] += abs(number);
    }
    if (j != 0) {
        sides[j < 0 ? 2 : 3] += number;
        sizes[j < 0 ? 2 : 3] += abs(number);
    }
    if (l != 0) {
        sides[l < 0 ? 4 : 5] += number;
        sizes[l < 0 ? 4 : 5] += abs(number);
    }
}

#include "include/visit_all.glsl"

void main() {
    ivec3 place = place_of(TEXEL - ivec2(SIDE * coarse_across, 0), coarse);
    for (int i = 0; i < 6; ++i) {
        sides[i] = sizes[i] = vec4(0.0);
    }
    row_sum = stored(13, place, AT);
    diagonal = row_sum;
    across = vec4(0.0);
    visit_all(place);
    vec4 missing = vec4(0.0);
    for (int other = 0; other < 3; ++other) {
        if (other != AXIS) {
            vec4 none_before = vec4(equal(sizes[2 * other], vec4(0.0)));
            vec4 none_behind = vec4(equal(sizes[2 * other + 1], vec4(0.0)));
            missing -= none_before * sides[2 * other + 1] + none_behind * sides[2 * other];
        }
    }
    vec4 magnitude = across + abs(diagonal);
    vec4 divisor = row_sum - clamp(missing, vec4(0.0), max(row_sum, vec4(0.0))) - sides[2 * AXIS] - sides[2 * AXIS + 1];
    // The coarse points are behind those before them, and before those behind them.
    vec4 towards = SIDE == 0 ? sides[2 * AXIS + 1] : sides[2 * AXIS];
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
