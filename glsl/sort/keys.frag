// The numbers of a vector as keys of the same order; with BACK the numbers of keys.
//
// Defines: those of include/sort_key.glsl; BACK. Inputs: numbers, as what they are or as keys; length_of_panel, shift, the exponent of a
// row's length. Output: result, keys, with zeros in the padding, or numbers.
#include "include/number.glsl"
#include "include/sort_key.glsl"
#ifdef BACK
#include "include/number_target.glsl"
uniform usampler2D numbers;
#else
uniform SAMPLER numbers;
layout(location = 0) out uvec4 result;
#endif
uniform int length_of_panel, shift;

#if defined(NUMBER_FLOAT)
#define TO_BITS(x) floatBitsToUint(x)
#define FROM_BITS(bits) uintBitsToFloat(bits)
#else
#define TO_BITS(x) uint(x)
#define FROM_BITS(bits) NUMBER(bits)
#endif

void main() {
    int left = length_of_panel - 4 * ((TEXEL.y << shift) + TEXEL.x);
#ifdef BACK
    uvec4 keys = READ(numbers, TEXEL);
    FOUR four = FOUR(0);
    for (int lane = 0; lane < min(left, 4); lane++) {
        four[lane] = FROM_BITS(bits_of(keys[lane]));
    }
#else
    FOUR numbers_here = READ(numbers, TEXEL);
    uvec4 four = uvec4(0u);
    for (int lane = 0; lane < min(left, 4); lane++) {
        four[lane] = key_of(TO_BITS(numbers_here[lane]));
    }
#endif
    result = four;
}
