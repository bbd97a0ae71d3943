// Sums of products of any element type. Integers wrap.
// Defines: NUMBER, the type; INTEGER for integers; SHORT for 16 bits.
//
//   PLUS_PRODUCT(sum, a, b)   sum + a b; floats round once where the context has `fma`
//   NARROW(sum)               the sum in the element type: the low 16 bits of a wrapped 32-bit sum are those of the
//                             wrapped 16-bit sum
#include "include/fused.glsl"

#ifdef INTEGER
#define PLUS_PRODUCT(sum, a, b) ((sum) + (a) * (b))
#else
#define PLUS_PRODUCT(sum, a, b) MAD(a, b, sum)
#endif
#ifdef SHORT
#define NARROW(sum) (((sum) << 16) >> 16)
#else
#define NARROW(sum) (sum)
#endif
