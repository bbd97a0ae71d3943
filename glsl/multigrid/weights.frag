// The weights with which four points of the coarse grid enter the points of the fine grid that are `neighbour` away.
//
// At a point between two of the coarse grid the couplings are added up across their axis, so that a row A u = 0 gives u from the two. A
// point between four takes its row as it is.
//
// Inputs    bands, nine texels for each texel of the fine grid, with the sums of rows in the middle; diagonal, of the matrix; step_by, fine_size;
//           neighbour, not (0, 0); width, the points of a row of the coarse grid
// Defines   SYMMETRIC_PART or TRANSPOSED, of the matrix, in its place; those of include/band_place.glsl and include/each_texel.glsl
// Output    the weights
// Source: Dendy, "Black box multigrid" (1982); of nonsymmetric matrices Dendy, "Black box multigrid for nonsymmetric problems" (1983).
uniform sampler2D bands;
uniform sampler2D diagonal;
uniform ivec2 neighbour;
uniform int width;
#include "include/each_texel.glsl"
#include "include/band_place.glsl"
#include "include/fine_numbers.glsl"

// A sum below this fraction of its terms is rounding error, and no divisor.
const float FLOOR = 1e-6;
// The largest weight: those of M-matrices are at most 1.
const float LARGEST = 2.0;
// Below it devices may take a number for zero.
const float LEAST = 1.2e-38;

// The coupling of the points that are (i, j) away from the four, to their neighbours (k, l), not (0, 0).
vec4 coupling(int i, int j, int k, int l) {
#ifdef TRANSPOSED
    return around(bands, place_of(-k, -l), TEXEL, i + k, j + l);
#elif defined(SYMMETRIC_PART)
    return 0.5 * (around(bands, place_of(k, l), TEXEL, i, j) + around(bands, place_of(-k, -l), TEXEL, i + k, j + l));
#else
    return around(bands, place_of(k, l), TEXEL, i, j);
#endif
}

// The sum of the three couplings to one side.
vec4 side(int i, int j, ivec2 to) {
    ivec2 across = to.yx;
    return coupling(i, j, to.x, to.y) + coupling(i, j, to.x + across.x, to.y + across.y)
        + coupling(i, j, to.x - across.x, to.y - across.y);
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
    return weights;
}

// The weight of the neighbour that is `to` away on an axis, at the points that are (i, j) away from the four.
vec4 along(int i, int j, ivec2 to) {
    ivec2 across = to.yx;
    vec4 middle = around(diagonal, -1, TEXEL, i, j);
    vec4 one = coupling(i, j, across.x, across.y);
    vec4 other = coupling(i, j, -across.x, -across.y);
    vec4 towards = side(i, j, to);
#if defined(TRANSPOSED) || defined(SYMMETRIC_PART)
    vec4 sum = middle + one + other;
#else
    // The same with fewer roundings.
    vec4 sum = around(bands, 4, TEXEL, i, j) - towards - side(i, j, -to);
#endif
    return quotient(towards, sum, abs(middle) + abs(one) + abs(other));
}

// The same for a neighbour on a diagonal.
vec4 diagonally(int i, int j, ivec2 to) {
    ivec2 x = ivec2(to.x, 0);
    ivec2 y = ivec2(0, to.y);
    vec4 direct = coupling(i, j, to.x, to.y);
    vec4 beside = coupling(i, j, x.x, x.y) * along(i + x.x, j, y);
    vec4 below = coupling(i, j, y.x, y.y) * along(i, j + y.y, x);
    vec4 middle = around(diagonal, -1, TEXEL, i, j);
    return quotient(direct + beside + below, middle, abs(middle));
}

vec4 result() {
    if (any(greaterThanEqual(abs(neighbour), step_by))) {
        return vec4(0.0);
    }
    int i = neighbour.x;
    int j = neighbour.y;
    vec4 weights = i == 0 || j == 0 ? along(i, j, -neighbour) : diagonally(i, j, -neighbour);
    return mix(vec4(0.0), weights, lessThan(4 * TEXEL.x + ivec4(0, 1, 2, 3), ivec4(width)));
}

#ifndef GROUP_X
void main() {
    WRITE(result());
}
#endif
