// Sums of products of any type of number. They wrap where the type does.
// Defines: NUMBER, the type; INTEGER where it is one; SHORT where it stands for 16 bits.
//
//   PLUS_PRODUCT(sum, a, b)   sum + a b; floats round once where the context has `fma`
//   NARROW(sum)               the sum as the type has it. GLSL has no 16-bit integers, but the low
//                             16 bits of a wrapped 32-bit sum are those of the wrapped 16-bit sum.
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
