// The reciprocals of the sums of magnitudes of rows, or of the diagonal, of a nine-banded matrix; 0 where a device may take the
// number or its reciprocal for zero.
//
// Inputs    bands, with the sums of rows in the middle; size, the extent of the grid
// Defines   DIAGONAL, of the diagonal; ALONE, the diagonal itself; those of include/band_place.glsl and include/each_texel.glsl
// Output    four reciprocals
uniform sampler2D bands;
uniform ivec2 size;
#include "include/each_texel.glsl"
#include "include/band_place.glsl"

const float LEAST = 1.2e-38;
const float MOST = 8.5e37;

vec4 reciprocals() {
    vec4 diagonal = READ(bands, band_place(4, TEXEL, size));
    vec4 magnitude = vec4(0.0);
    for (int k = 0; k < 9; ++k) {
        if (k != 4) {
            vec4 coupling = READ(bands, band_place(k, TEXEL, size));
            diagonal -= coupling;
            magnitude += abs(coupling);
        }
    }
#ifdef ALONE
    return diagonal;
#endif
#ifdef DIAGONAL
    vec4 divisors = diagonal;
#else
    vec4 divisors = magnitude + abs(diagonal);
#endif
    vec4 result = vec4(0.0);
    for (int lane = 0; lane < 4; ++lane) {
        float size_of = abs(divisors[lane]);
        result[lane] = size_of > LEAST && size_of < MOST ? 1.0 / divisors[lane] : 0.0;
    }
    return result;
}

#ifndef GROUP_X
void main() {
    WRITE(reciprocals());
}
#endif
