// The element-wise operations of BLAS level 1, on one number of each vector.
//
// Requires  MAD (include/fused.glsl)
// Provides  root_of (include/scales.glsl)
//           axpy(a, x, y)       a x + y
//           axpby(a, x, b, y)   a x + b y
// Source: Lawson, Hanson, Kincaid and Krogh, "Basic Linear Algebra Subprograms for Fortran Usage" (1979); axpby: Blackford
// et al., "An Updated Set of Basic Linear Algebra Subprograms" (2002).
#include "include/fused.glsl"
#include "include/scales.glsl"

float axpy(float a, float x, float y) { return MAD(a, x, y); }
float axpby(float a, float x, float b, float y) { return MAD(a, x, b * y); }
