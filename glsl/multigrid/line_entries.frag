// The tridiagonal matrices of the lines of a grid, which keep the couplings along one axis of a nine-banded matrix.
//
// Inputs    the coefficients (include/coefficients.glsl); diagonal; size, the extent of the grid; along, (1, 0) or (0, 1)
// Defines   those of include/coefficients.glsl and include/each_texel.glsl
// Output    of four points: the couplings to the points before and after, the sums of rows, and the reciprocals of the diagonal, 0 where a
//           device may take the number or its reciprocal for zero
#define TARGETS 4
uniform sampler2D diagonal;
uniform ivec2 size;
uniform ivec2 along;
#include "include/each_texel.glsl"
#include "include/band_place.glsl"
#include "include/coefficients.glsl"

const float LEAST = 1.2e-38;
const float MOST = 8.5e37;

vec4 number(int i, int j) { return coefficient(place_of(i, j), TEXEL, size); }

// From the row's sum in all: what is left out mostly has one sign, so that no digits are lost.
vec4 sums() {
    vec4 sum = number(0, 0);
    for (int j = -1; j <= 1; ++j) {
        for (int i = -1; i <= 1; ++i) {
            if (i * along.y != 0 || j * along.x != 0) {
                sum -= number(i, j);
            }
        }
    }
    return sum;
}

vec4 reciprocals() {
    vec4 divisors = READ(diagonal, TEXEL);
    vec4 result = vec4(0.0);
    for (int lane = 0; lane < 4; ++lane) {
        float size_of = abs(divisors[lane]);
        result[lane] = size_of > LEAST && size_of < MOST ? 1.0 / divisors[lane] : 0.0;
    }
    return result;
}

void main() {
    WRITE_ALL(number(-along.x, -along.y), number(along.x, along.y), sums(), reciprocals());
}
