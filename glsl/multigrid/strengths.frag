// How strongly points are coupled along x and along y: the magnitudes of couplings to the two sides, added up across the axis, over the
// diagonal; at most 4.
//
// Inputs    bands, with the sums of rows in the middle; size, the extent of the grid; along, (1, 0) or (0, 1)
// Defines   those of include/band_place.glsl and include/each_texel.glsl
// Output    the strengths of four points along one axis; their sums tell how to coarsen the grid
uniform sampler2D bands;
uniform ivec2 size;
uniform ivec2 along;
#include "include/each_texel.glsl"
#include "include/band_place.glsl"

const float LEAST = 1.2e-38;
const float MOST = 4.0;

vec4 strengths() {
    vec4 before = vec4(0.0);
    vec4 after = vec4(0.0);
    vec4 diagonal = READ(bands, band_place(4, TEXEL, size));
    for (int j = -1; j <= 1; ++j) {
        for (int i = -1; i <= 1; ++i) {
            if (i != 0 || j != 0) {
                vec4 coupling = READ(bands, band_place(place_of(i, j), TEXEL, size));
                diagonal -= coupling;
                int at = i * along.x + j * along.y;
                before += at < 0 ? coupling : vec4(0.0);
                after += at > 0 ? coupling : vec4(0.0);
            }
        }
    }
    vec4 result = vec4(0.0);
    for (int lane = 0; lane < 4; ++lane) {
        float most = abs(before[lane]) + abs(after[lane]);
        float divisor = abs(diagonal[lane]);
        result[lane] = divisor > LEAST ? min(most / divisor, MOST) : 0.0;
    }
    return result;
}

#ifndef GROUP_X
void main() {
    WRITE(strengths());
}
#endif
