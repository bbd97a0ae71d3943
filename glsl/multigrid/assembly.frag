// Nine grids as the nine numbers of each point of one: where include/band_place.glsl says.
//
// Inputs    band_0 to band_8, of a symmetric matrix from band_4 on; size, their extent
// Defines   SYMMETRIC, a band of a matrix is that of the opposite neighbour, there; those of include/band_place.glsl and
//           include/each_texel.glsl
// Output    nine texels for each texel of a grid
uniform sampler2D band_4, band_5, band_6, band_7, band_8;
uniform ivec2 size;
#include "include/each_texel.glsl"
#include "include/band_place.glsl"

#ifdef SYMMETRIC
vec4 texel_of(sampler2D band, ivec2 place) {
    ivec2 inside = clamp(place, ivec2(0), size - 1);
    vec4 texel = READ(band, inside);
    return inside == place ? texel : vec4(0.0);
}

vec4 from_left(sampler2D band, ivec2 place) {
    return vec4(texel_of(band, place - ivec2(1, 0)).w, texel_of(band, place).xyz);
}

vec4 from_right(sampler2D band, ivec2 place) {
    return vec4(texel_of(band, place).yzw, texel_of(band, place + ivec2(1, 0)).x);
}

vec4 opposite(int k, ivec2 place) {
    ivec2 lower = place - ivec2(0, 1);
    return k == 0 ? from_left(band_8, lower)
        : k == 1 ? texel_of(band_7, lower)
        : k == 2 ? from_right(band_6, lower)
                 : from_left(band_5, place);
}
#else
uniform sampler2D band_0, band_1, band_2, band_3;
vec4 opposite(int k, ivec2 place) {
    return k == 0 ? READ(band_0, place) : k == 1 ? READ(band_1, place) : k == 2 ? READ(band_2, place) : READ(band_3, place);
}
#endif

vec4 number(int k, ivec2 place) {
    if (k < 4) {
        return opposite(k, place);
    }
    if (k < 6) {
        return k == 4 ? READ(band_4, place) : READ(band_5, place);
    }
    return k == 6 ? READ(band_6, place) : k == 7 ? READ(band_7, place) : READ(band_8, place);
}

vec4 assembled() {
    ivec2 place;
    int band = band_at(TEXEL, size, place);
    return number(band, place);
}

void main() {
    WRITE(assembled());
}
