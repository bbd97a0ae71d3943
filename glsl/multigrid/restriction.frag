// The transpose of an interpolation times a vector of the fine grid, at four points of the coarse grid.
//
// Inputs    x, the vector; weights, nine texels for each texel of the coarse grid, of which the middle one counts as 1
//           fine_size, coarse_size
// Defines   those of include/fine_numbers.glsl, include/band_place.glsl and include/each_texel.glsl
// Output    the coarse vector
// Source: Dendy, "Black box multigrid" (1982).
uniform sampler2D x;
uniform sampler2D weights;
uniform ivec2 coarse_size;
#include "include/each_texel.glsl"
#include "include/band_place.glsl"
#include "include/fine_numbers.glsl"

vec4 restricted() {
    vec4 sum = around(x, -1, 0, 0);
    for (int j = 1 - STEP_Y; j < STEP_Y; ++j) {
        for (int i = 1 - STEP_X; i < STEP_X; ++i) {
            if (i != 0 || j != 0) {
                sum += READ(weights, band_place(place_of(i, j), TEXEL, coarse_size)) * around(x, -1, i, j);
            }
        }
    }
    return sum;
}

void main() {
    WRITE(restricted());
}
