// One row of the nine-banded system, in any layout: the next x, or the residual, at this texel from the nine bands, the
// right-hand side and nine values of x.
//
// Defines   LAYOUT_RED       bands in the channels of three textures, x in one channel
//           LAYOUT_SEPARATE  each band in a texture of its own, one channel
//           LAYOUT_RGBA      as LAYOUT_SEPARATE, four systems in the four channels
//           LAYOUT_PACKED    four consecutive unknowns of one system in a texel; nine texels of bands and one of b,
//                            side by side, for each texel of x
//           RECIPROCAL       dd holds 1 / diagonal, computed by the host
//           RESIDUAL         relax() returns scale * (b - A x), so that its squares stay in the range of floats
//           PRODUCT          without others_of() and relax(): an operator in any form has a product of its own
// Requires  BAND(image)      how the including file reads a band at this texel
//           BAND_OF(k)       the same for the band k of nine, and b as the tenth (LAYOUT_PACKED)
// Provides  NUMBER, PART     the type of a value, and its channels
//           Row, row()       left, here and right of one row of the grid
//           others_of()      the row's product with x without the diagonal (LAYOUT_PACKED)
//           relax()          the next x, or the residual
//
// Bands have the names of Goeddeke, "GPGPU Performance Tuning" (2005), "CPU implementation": the first letter is the
// block, the second its main (D), upper (U) or lower (L) diagonal.

#if defined(LAYOUT_RED) || defined(LAYOUT_SEPARATE)
#define NUMBER float
#define PART r
#else
#define NUMBER vec4
#define PART rgba
#endif

uniform sampler2D x;
#ifdef LAYOUT_RED
uniform sampler2D bands_a; // LL LD LU DL
uniform sampler2D bands_b; // DD DU UL UD
uniform sampler2D bands_c; // UU B
#elif defined(LAYOUT_PACKED)
#ifndef PRODUCT
uniform sampler2D bands; // LL LD LU DL DD DU UL UD UU B, repeated
#endif
#else
uniform sampler2D ll, ld, lu, dl, dd, du, ul, ud, uu, b;
#endif

#if defined(RESIDUAL) && !defined(PRODUCT)
uniform NUMBER scale;
#endif

struct Row {
    NUMBER left;
    NUMBER here;
    NUMBER right;
};

#ifdef LAYOUT_PACKED
// Lanes shift by one: the last lane of the texel to the left comes in, and the first of the one to the right.
Row row(NUMBER left, NUMBER here, NUMBER right) {
    return Row(vec4(left.w, here.xyz), here, vec4(here.yzw, right.x));
}
#else
Row row(NUMBER left, NUMBER here, NUMBER right) { return Row(left, here, right); }
#endif

#if defined(LAYOUT_PACKED) && !defined(PRODUCT)
NUMBER others_of(Row down, Row middle, Row up) {
    NUMBER others = BAND_OF(0) * down.left + BAND_OF(1) * down.here + BAND_OF(2) * down.right;
    others += BAND_OF(3) * middle.left + BAND_OF(5) * middle.right;
    others += BAND_OF(6) * up.left + BAND_OF(7) * up.here + BAND_OF(8) * up.right;
    return others;
}
#endif

#ifndef PRODUCT
NUMBER finish(NUMBER here, NUMBER others, NUMBER diagonal, NUMBER rhs) {
#if defined(RESIDUAL) && defined(RECIPROCAL)
    return scale * (rhs - (here / diagonal + others));
#elif defined(RESIDUAL)
    return scale * (rhs - (diagonal * here + others));
#elif defined(RECIPROCAL)
    return (rhs - others) * diagonal;
#else
    return here + (rhs - (diagonal * here + others)) / diagonal;
#endif
}

NUMBER relax(Row down, Row middle, Row up) {
#ifdef LAYOUT_RED
    vec4 p = BAND(bands_a);
    vec4 q = BAND(bands_b);
    vec2 r = BAND(bands_c).rg;
    float others = p.x * down.left + p.y * down.here + p.z * down.right;
    others += p.w * middle.left + q.y * middle.right;
    others += q.z * up.left + q.w * up.here + r.x * up.right;
    return finish(middle.here, others, q.x, r.y);
#elif defined(LAYOUT_PACKED)
    return finish(middle.here, others_of(down, middle, up), BAND_OF(4), BAND_OF(9));
#else
    NUMBER others = BAND(ll).PART * down.left + BAND(ld).PART * down.here + BAND(lu).PART * down.right;
    others += BAND(dl).PART * middle.left + BAND(du).PART * middle.right;
    others += BAND(ul).PART * up.left + BAND(ud).PART * up.here + BAND(uu).PART * up.right;
    return finish(middle.here, others, BAND(dd).PART, BAND(b).PART);
#endif
}
#endif
