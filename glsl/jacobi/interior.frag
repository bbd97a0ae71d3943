// One Jacobi step for texels away from the ends of rows: all neighbours are adjacent.
// Inputs: x, the bands, b (include/nine_bands.glsl).
// Source: Goeddeke 2005, "Multipass rendering to reduce shader complexity".
#define BAND(image) READ(image, TEXEL)
#define BAND_OF(k) READ(bands, ivec2(10 * TEXEL.x + k, TEXEL.y))
#include "include/nine_bands.glsl"

out NUMBER next;

NUMBER at(int i, int j) { return READ_CLAMPED(x, TEXEL + ivec2(i, j)).PART; }

Row row_at(int j) { return row(at(-1, j), at(0, j), at(1, j)); }

void main() {
    next = relax(row_at(-1), row_at(0), row_at(1));
}
