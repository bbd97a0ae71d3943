// The weights with which four points of the coarse grid enter the points of the fine grid around them: those beside, above and below;
// or those on the diagonals.
//
// At a point between two of the coarse grid the couplings are added up across their axis, so that a row A u = 0 gives u from the two. A
// point between four takes its row as it is. Every loop ends at a uniform, so that a driver compiles one loop and not all of its turns:
// that takes long.
//
// Inputs    the coefficients of the fine grid (include/coefficients.glsl); diagonal, of the matrix; fine_size;
//           width, the points of a row of the coarse grid; on_diagonals, which of the weights; targets, 4
// Defines   SYMMETRIC_PART or TRANSPOSED, of the matrix, in its place; those of include/fine_numbers.glsl,
//           include/band_place.glsl and include/each_texel.glsl
// Output    the weights at the points to the right, to the left, above and below; or (on_diagonals) at the lower left, lower right, upper left and upper right
// Source: Dendy, "Black box multigrid" (1982); of nonsymmetric matrices Dendy, "Black box multigrid for nonsymmetric problems" (1983).
#define TARGETS 4
uniform sampler2D diagonal;
uniform int width;
uniform int targets;
uniform bool on_diagonals;
#include "include/each_texel.glsl"
#include "include/band_place.glsl"
#include "include/coefficients.glsl"
#include "include/fine_numbers.glsl"
#include "include/fine_coefficients.glsl"

// A sum below this fraction of its terms is rounding error, and no divisor.
const float FLOOR = 1e-6;
// The largest weight: those of M-matrices are at most 1.
const float LARGEST = 2.0;
// Below it devices may take a number for zero.
const float LEAST = 1.2e-38;

// The coupling of the points that are (i, j) away from the four, to their neighbours (k, l), not (0, 0).
vec4 coupling(int i, int j, int k, int l) {
#ifdef TRANSPOSED
    return coefficients_around(place_of(-k, -l), i + k, j + l);
#elif defined(SYMMETRIC_PART)
    return 0.5 * (coefficients_around(place_of(k, l), i, j) + coefficients_around(place_of(-k, -l), i + k, j + l));
#else
    return coefficients_around(place_of(k, l), i, j);
#endif
}

vec4 quotient(vec4 coupling, vec4 sum, vec4 magnitude) {
    vec4 weights = vec4(0.0);
    for (int lane = 0; lane < 4; ++lane) {
        if (!(magnitude[lane] > LEAST)) {
            weights[lane] = 0.0;
        } else if (!(abs(sum[lane]) > FLOOR * magnitude[lane])) {
            weights[lane] = 0.5;
        } else {
            weights[lane] = clamp(-coupling[lane] / sum[lane], -LARGEST, LARGEST);
        }
    }
    return mix(vec4(0.0), weights, lessThan(4 * TEXEL.x + ivec4(0, 1, 2, 3), ivec4(width)));
}

// The sum of the three couplings to one side.
vec4 side(int i, int j, int k, int l) {
    return coupling(i, j, k, l) + coupling(i, j, k + l, l + k) + coupling(i, j, k - l, l - k);
}

// The weight at the points (i, j) on an axis.
vec4 along(int i, int j) {
    vec4 middle = around(diagonal, -1, i, j);
    vec4 one = coupling(i, j, j, i);
    vec4 other = coupling(i, j, -j, -i);
    vec4 towards = side(i, j, -i, -j);
#if defined(TRANSPOSED) || defined(SYMMETRIC_PART)
    vec4 sum = middle + one + other;
#else
    // The same with fewer roundings.
    vec4 sum = coefficients_around(4, i, j) - towards - side(i, j, i, j);
#endif
    return quotient(towards, sum, abs(middle) + abs(one) + abs(other));
}

// The weight at the points (i, j), of which the ones between them and the coarse points have the weights beside and above or below:
// what their own coupling, and those to these two, give.
vec4 diagonally(int i, int j, vec4 horizontal, vec4 vertical) {
    vec4 middle = around(diagonal, -1, i, j);
    vec4 sum = coupling(i, j, -i, -j) + coupling(i, j, -i, 0) * vertical + coupling(i, j, 0, -j) * horizontal;
    return quotient(sum, middle, abs(middle));
}

void main() {
    // Those to the right, to the left, above and below.
    vec4 axes[4] = vec4[4](vec4(0.0), vec4(0.0), vec4(0.0), vec4(0.0));
    for (int target = 0; target < targets; ++target) {
        int by = 1 - 2 * (target & 1);
        ivec2 at = target < 2 ? ivec2(by, 0) : ivec2(0, by);
        axes[target] = float(target < 2 ? STEP_X - 1 : STEP_Y - 1) * along(at.x, at.y);
    }
    vec4 weights[4] = axes;
    int corners = !on_diagonals ? 0 : targets;
    for (int target = 0; target < corners; ++target) {
        ivec2 at = ivec2(2 * (target & 1) - 1, target < 2 ? -1 : 1);
        vec4 corner = diagonally(at.x, at.y, axes[at.x < 0 ? 1 : 0], axes[at.y < 0 ? 3 : 2]);
        weights[target] = float((STEP_X - 1) * (STEP_Y - 1)) * corner;
    }
    WRITE_ALL(weights[0], weights[1], weights[2], weights[3]);
}
