// A sweep of Jacobi's iteration: x + w s (b - A x), where s has the reciprocals of the sums of magnitudes of rows.
//
// Inputs    x, b, scaling; the coefficients (include/nine_product.glsl); factor, which is w; extent, that of x
// Defines   FROM_ZERO        x is zero, and neither it nor the bands are read
//           RESIDUAL_ALONE   the result is b - A x
//           PRODUCT_ALONE    the result is A x
//           TILE, and those of include/nine_product.glsl and include/each_texel.glsl
// Output    the next x
#include "include/each_texel.glsl"
#ifndef GROUP_X
uniform ivec2 extent;
#endif
const ivec2 part = ivec2(0);
#if !defined(RESIDUAL_ALONE) && !defined(PRODUCT_ALONE)
uniform sampler2D scaling;
uniform float factor;
vec4 factors() { return factor * READ(scaling, TEXEL); }
#endif

#ifdef FROM_ZERO
uniform sampler2D b;
vec4 relaxed() { return factors() * READ(b, TEXEL); }
#else
#define SIZE extent
#ifndef PRODUCT_ALONE
#define RESIDUAL
#endif
#include "include/nine_product.glsl"
#if defined(RESIDUAL_ALONE) || defined(PRODUCT_ALONE)
vec4 relaxed() { return product(); }
#else
vec4 relaxed() { return beside(0, 0) + factors() * product(); }
#endif
#endif

void main() {
#ifdef TILE
    fill_tile();
#endif
    WRITE(relaxed());
}
