// Nine grids as the nine numbers of each point of one: where include/band_place.glsl says.
//
// Inputs    band_0 to band_8; size, their extent
// Defines   those of include/band_place.glsl and include/each_texel.glsl
// Output    nine texels for each texel of a grid
uniform sampler2D band_0, band_1, band_2, band_3, band_4, band_5, band_6, band_7, band_8;
uniform ivec2 size;
#include "include/each_texel.glsl"

vec4 number(int k, ivec2 place) {
    if (k < 3) {
        return k == 0 ? READ(band_0, place) : k == 1 ? READ(band_1, place) : READ(band_2, place);
    }
    if (k < 6) {
        return k == 3 ? READ(band_3, place) : k == 4 ? READ(band_4, place) : READ(band_5, place);
    }
    return k == 6 ? READ(band_6, place) : k == 7 ? READ(band_7, place) : READ(band_8, place);
}

vec4 assembled() {
#ifdef PANELS
    ivec2 which = TEXEL / size;
    return number(which.y * ACROSS + which.x, TEXEL - which * size);
#else
    ivec2 place = TEXEL / ivec2(ACROSS, 9 / ACROSS);
    ivec2 which = TEXEL - place * ivec2(ACROSS, 9 / ACROSS);
    return number(which.y * ACROSS + which.x, place);
#endif
}

#ifndef GROUP_X
void main() {
    WRITE(assembled());
}
#endif
