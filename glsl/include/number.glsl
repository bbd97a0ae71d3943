// The type of the numbers of a vector, four in a texel.
//
// Defines   one of NUMBER_FLOAT, NUMBER_INT, NUMBER_UINT
// Provides  NUMBER, FOUR, SAMPLER, IMAGE, FORMAT   the types of a number, a texel, a sampler and an image
//           LEAST, GREATEST, LESS(a, b), GREATER(a, b)   where a NaN stands before and after all others
#include "include/nan.glsl"
#include "include/order.glsl"

#if defined(NUMBER_FLOAT)
#define NUMBER float
#define FOUR vec4
#define SAMPLER sampler2D
#define IMAGE image2D
#define FORMAT rgba32f
#define LEAST uintBitsToFloat(0xff800000u)
#define GREATEST uintBitsToFloat(0x7f800000u)
// A NaN of either stays.
#define LESS(a, b) (is_nan_of(a) || !is_nan_of(b) && is_less(a, b))
#define GREATER(a, b) (is_nan_of(a) || !is_nan_of(b) && is_less(b, a))
#elif defined(NUMBER_INT)
#define NUMBER int
#define FOUR ivec4
#define SAMPLER isampler2D
#define IMAGE iimage2D
#define FORMAT rgba32i
#define LEAST int(0x80000000u)
#define GREATEST 0x7fffffff
#define LESS(a, b) (a < b)
#define GREATER(a, b) (a > b)
#else
#define NUMBER uint
#define FOUR uvec4
#define SAMPLER usampler2D
#define IMAGE uimage2D
#define FORMAT rgba32ui
#define LEAST 0u
#define GREATEST 0xffffffffu
#define LESS(a, b) (a < b)
#define GREATER(a, b) (a > b)
#endif
