// What a reduction does to the numbers of a texel, and how two results combine: for the stages of either engine.
//
// Defines   one of MAP_SAME, MAP_MAGNITUDE, MAP_SQUARE, MAP_PRODUCT, MAP_SCALED_SQUARES, applied to each number first; one
//           of COMBINE_SUM, COMBINE_MIN, COMBINE_MAX; one of NUMBER_FLOAT, NUMBER_VEC2, NUMBER_VEC4, the channels in use
// Provides  NUMBER                  the type of a result
//           SECOND                  defined if the map takes two textures
//           number_of(x[, y])       what the map makes of a texel of x, and of y
//           COMBINE(a, b), NOTHING  two results as one, and the result of no numbers
//           four(number)            a result as a texel
//
// MAP_SCALED_SQUARES adds the squares of four numbers in three accumulators, so that none overflows or underflows: those of
// large numbers, scaled by 2^-88, in x; of medium ones in y; of small ones, scaled by 2^88, in z. All that is squared is
// below 2^40, so that sums of 2^40 squares stay finite, and above 2^-61. A NaN reaches one of the three.
// Source: Blue, "A Portable Fortran Program to Find the Euclidean Norm of a Vector" (1978); Anderson, "Algorithm 978: Safe
// Scaling in the Level 1 BLAS" (2017).

#include "include/nan.glsl"
#include "include/order.glsl"

#if defined(NUMBER_FLOAT)
#define NUMBER float
#define CHANNELS r
#elif defined(NUMBER_VEC2)
#define NUMBER vec2
#define CHANNELS rg
#else
#define NUMBER vec4
#define CHANNELS rgba
#endif

#if defined(MAP_PRODUCT)
#define SECOND
NUMBER number_of(vec4 x, vec4 y) { return x.CHANNELS * y.CHANNELS; }
#elif defined(MAP_MAGNITUDE)
// By its bits: abs() may make a denormal zero.
vec4 magnitude(vec4 x) { return intBitsToFloat(floatBitsToInt(x) & ivec4(0x7fffffff)); }
NUMBER number_of(vec4 x) { return magnitude(x).CHANNELS; }
#elif defined(MAP_SQUARE)
NUMBER number_of(vec4 x) { return x.CHANNELS * x.CHANNELS; }
#elif defined(MAP_SCALED_SQUARES)
#include "include/scales.glsl"
const vec4 LARGE = vec4(1099511627776.0); // 2^40
const vec4 SMALL = vec4(3.55271368e-15); // 2^-48
vec4 number_of(vec4 x) {
    bvec4 large = greaterThan(abs(x), LARGE);
    bvec4 small = lessThan(abs(x), SMALL);
    vec4 none = vec4(0.0);
    vec4 from_large = mix(none, x * DOWN, large);
    vec4 from_small = mix(none, x * UP, small);
    vec4 medium = mix(mix(x, none, large), none, small);
    return vec4(dot(from_large, from_large), dot(medium, medium), dot(from_small, from_small), 0.0);
}
#else
NUMBER number_of(vec4 x) { return x.CHANNELS; }
#endif

#ifdef COMBINE_SUM
#define COMBINE(a, b) (a + b)
#define NOTHING NUMBER(0.0)
#else
// min and max may drop a NaN, and take denormals for zeros: this keeps a NaN of either, and compares all others.
#ifdef COMBINE_MIN
#define BETTER(a, b) is_less(a, b)
#define NOTHING NUMBER(uintBitsToFloat(0x7f800000u))
#else
#define BETTER(a, b) is_less(b, a)
#define NOTHING NUMBER(uintBitsToFloat(0xff800000u))
#endif
float combine(float a, float b) { return is_nan_of(a) ? a : is_nan_of(b) ? b : BETTER(a, b) ? a : b; }
vec2 combine(vec2 a, vec2 b) { return vec2(combine(a.x, b.x), combine(a.y, b.y)); }
vec4 combine(vec4 a, vec4 b) { return vec4(combine(a.xy, b.xy), combine(a.zw, b.zw)); }
#define COMBINE(a, b) combine(a, b)
#endif

vec4 four(float number) { return vec4(number, 0.0, 0.0, 0.0); }
vec4 four(vec2 number) { return vec4(number, 0.0, 0.0); }
vec4 four(vec4 number) { return number; }
