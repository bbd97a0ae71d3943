// The weights with which four points of the coarse grid enter the points of the fine grid around them: those beside, above and below;
// or, from these, the weights at the four points on the diagonals.
//
// At a point between two of the coarse grid the couplings are added up across their axis, so that a row A u = 0 gives u from the two. A
// point between four takes its row as it is.
//
// Inputs    the coefficients of the fine grid (include/coefficients.glsl); diagonal, of the matrix; fine_size;
//           width, the points of a row of the coarse grid; right, left, above, below: the first four (ON_DIAGONALS)
// Defines   ON_DIAGONALS; SYMMETRIC_PART or TRANSPOSED, of the matrix, in its place; those of include/fine_numbers.glsl,
//           include/band_place.glsl and include/each_texel.glsl
// Output    the weights at the points to the right, to the left, above and below; or (ON_DIAGONALS) at the lower left, lower right, upper left and upper right
// Source: Dendy, "Black box multigrid" (1982); of nonsymmetric matrices Dendy, "Black box multigrid for nonsymmetric problems" (1983).
#define TARGETS 4
uniform sampler2D diagonal;
uniform int width;
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

#ifdef ON_DIAGONALS
uniform sampler2D right, left, above, below;

// The weight at the points (i, j), of which the ones between them and the coarse points have the weights beside and above or below:
// what their own coupling, and those to these two, give.
vec4 diagonally(int i, int j, vec4 horizontal, vec4 vertical) {
#if STEP_X == 1 || STEP_Y == 1
    return vec4(0.0);
#else
    vec4 middle = around(diagonal, -1, i, j);
    vec4 sum = coupling(i, j, -i, -j) + coupling(i, j, -i, 0) * vertical + coupling(i, j, 0, -j) * horizontal;
    return quotient(sum, middle, abs(middle));
#endif
}

void four_weights(out vec4 a, out vec4 b, out vec4 c, out vec4 d) {
    vec4 to_right = READ(right, TEXEL);
    vec4 to_left = READ(left, TEXEL);
    vec4 upwards = READ(above, TEXEL);
    vec4 downwards = READ(below, TEXEL);
    a = diagonally(-1, -1, to_left, downwards);
    b = diagonally(1, -1, to_right, downwards);
    c = diagonally(-1, 1, to_left, upwards);
    d = diagonally(1, 1, to_right, upwards);
}
#else
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

void four_weights(out vec4 a, out vec4 b, out vec4 c, out vec4 d) {
    a = b = c = d = vec4(0.0);
#if STEP_X == 2
    a = along(1, 0);
    b = along(-1, 0);
#endif
#if STEP_Y == 2
    c = along(0, 1);
    d = along(0, -1);
#endif
}
#endif

void main() {
    vec4 a, b, c, d;
    four_weights(a, b, c, d);
    WRITE_ALL(a, b, c, d);
}
