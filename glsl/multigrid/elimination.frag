// A step of parallel cyclic reduction along the lines of a grid: to each row are added the rows before and after it times the factors
// that eliminate its couplings to them, so that each line falls into two that are independent.
//
// Inputs    d, the right-hand sides; lower, upper, the factors; by, the distance of the coupled points along x or y
// Defines   LAST        the rows have no couplings any more: the result is x + w times the solution; x, reciprocals, factor: w
//           FROM_ZERO   the same, where x is zero and is not read
//           those of include/each_texel.glsl
// Output    the next right-hand sides, or x + w times the solution
// Source: Hockney and Jesshope, "Parallel Computers" (1981); on GPUs Zhang, Cohen and Owens, "Fast tridiagonal solvers on the GPU" (2010),
// and as a smoother Goeddeke and Strzodka, "Cyclic reduction tridiagonal solvers on GPUs applied to mixed-precision multigrid" (2011).
uniform sampler2D d;
uniform sampler2D lower;
uniform sampler2D upper;
uniform ivec2 by;
#include "include/each_texel.glsl"
#include "include/shifted.glsl"
#ifdef FROM_ZERO
#define LAST
#endif

vec4 eliminated() {
    return READ(d, TEXEL) + READ(lower, TEXEL) * shifted(d, -by) + READ(upper, TEXEL) * shifted(d, by);
}

#ifdef LAST
uniform sampler2D reciprocals;
uniform float factor;
#ifndef FROM_ZERO
uniform sampler2D x;
#endif

vec4 relaxed() {
    vec4 change = factor * READ(reciprocals, TEXEL) * eliminated();
#ifdef FROM_ZERO
    return change;
#else
    return READ(x, TEXEL) + change;
#endif
}
#else
vec4 relaxed() { return eliminated(); }
#endif

void main() {
    WRITE(relaxed());
}
