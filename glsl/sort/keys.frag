// The numbers of a vector as keys of the same order, or with BITS their bits; with BACK the numbers of keys or bits.
//
// Defines: those of include/sort_key.glsl; BITS; BACK. Inputs: numbers, as what they are or as keys; length_of_panel, shift, the exponent of
// a row's length. Output: result, with zeros in the padding.
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

void main() {
    int left = length_of_panel - 4 * ((TEXEL.y << shift) + TEXEL.x);
#ifdef BACK
    uvec4 keys = READ(numbers, TEXEL);
    FOUR four = FOUR(0);
    for (int lane = 0; lane < min(left, 4); lane++) {
        four[lane] = number_of(keys[lane]);
    }
#else
    FOUR numbers_here = READ(numbers, TEXEL);
    uvec4 four = uvec4(0u);
    for (int lane = 0; lane < min(left, 4); lane++) {
        four[lane] = key_of(numbers_here[lane]);
    }
#endif
    result = four;
}
