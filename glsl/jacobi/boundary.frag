// One Jacobi step for the first column (SIDE_LEFT) or the last (SIDE_RIGHT): the neighbours beyond the end of a row
// are at the other end of the row before or after.
// Inputs: x, the bands, b (include/nine_bands.glsl); `last`, the lane of a row's last unknown in
// its last texel (LAYOUT_PACKED only).
// Source: Goeddeke 2005, "Multipass rendering to reduce shader complexity".
#define BAND(image) READ(image, TEXEL)
#define BAND_OF(k) READ(bands, ivec2(10 * TEXEL.x + k, TEXEL.y))
#include "include/nine_bands.glsl"
#ifdef LAYOUT_PACKED
uniform int last;
#include "include/lanes.glsl"
#endif

out NUMBER next;

NUMBER at(ivec2 place) { return READ_CLAMPED(x, place).PART; }

Row row_at(int step) {
    ivec2 place = TEXEL + ivec2(0, step);
#ifdef SIDE_LEFT
    NUMBER left = at(ivec2(textureSize(x, 0).x - 1, place.y - 1));
    NUMBER right = at(place + ivec2(1, 0));
    const bool at_left = true;
#else
    NUMBER left = at(place - ivec2(1, 0));
    NUMBER right = at(ivec2(0, place.y + 1));
    const bool at_left = false;
#endif
#ifdef LAYOUT_PACKED
    return row_of_lanes(left, at(place), right, at_left, !at_left);
#else
    return row(left, at(place), right);
#endif
}

void main() {
    next = relax(row_at(-1), row_at(0), row_at(1));
}
