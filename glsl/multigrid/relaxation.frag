// A x, the residual b - A x, or a sweep of Jacobi's iteration: x + w s (b - A x), where s has the reciprocals of the sums of magnitudes of
// rows.
//
// Inputs    x, extent, which is that of x, and the coefficients (include/nine_product.glsl); b; factor, which is w; scaling, which is s
// Defines   RESIDUAL or SWEEP; FROM_ZERO, a sweep where x is zero and neither it nor the bands are read;
//           TILE, and those of include/nine_product.glsl and include/each_texel.glsl
// Output    the result
#include "include/each_texel.glsl"
#ifndef GROUP_X
uniform ivec2 extent;
#endif
const ivec2 part = ivec2(0);
#if defined(SWEEP) || defined(FROM_ZERO)
uniform sampler2D scaling;
uniform float factor;
vec4 factors() { return factor * READ(scaling, TEXEL); }
#endif

#ifdef FROM_ZERO
uniform sampler2D b;
vec4 relaxed() { return factors() * READ(b, TEXEL); }
#else
#define SIZE extent
#ifdef SWEEP
#define RESIDUAL
#endif
#include "include/nine_product.glsl"
#ifdef SWEEP
vec4 relaxed() { return beside(0, 0) + factors() * product(); }
#else
vec4 relaxed() { return product(); }
#endif
#endif

void main() {
#ifdef TILE
    fill_tile();
#endif
    WRITE(relaxed());
}
