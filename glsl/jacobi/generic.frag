// One Jacobi step for any texel: the neighbours to the left and right are found by the floor formula of Goeddeke 2005,
// so that the ends of rows need no shader of their own, at a cost for every texel.
// Inputs: x, the bands, b (include/nine_bands.glsl); `last`, the lane of a row's last unknown in
// its last texel (LAYOUT_PACKED only).
// Source: Goeddeke 2005, "Mapping the CPU implementation to the GPU".
#define BAND(image) READ(image, TEXEL)
#define BAND_OF(k) READ(bands, ivec2(10 * TEXEL.x + k, TEXEL.y))
#include "include/nine_bands.glsl"
#include "include/wrap.glsl"
#ifdef LAYOUT_PACKED
uniform int last;
#include "include/lanes.glsl"
#endif

out NUMBER next;

NUMBER at(ivec2 place) { return READ_CLAMPED(x, place).PART; }

Row row_at(int step) {
    ivec2 place = TEXEL + ivec2(0, step);
    float width = float(textureSize(x, 0).x);
    ivec2 left = wrap_by_floor(place, -1, width);
    ivec2 right = wrap_by_floor(place, 1, width);
#ifdef LAYOUT_PACKED
    return row_of_lanes(at(left), at(place), at(right), left.y < place.y, right.y > place.y);
#else
    return row(at(left), at(place), at(right));
#endif
}

void main() {
    next = relax(row_at(-1), row_at(0), row_at(1));
}
