// The first numbers of a panel as a panel.
// Defines: a NUMBER_. Inputs: numbers; shift, the exponent of a row's length; length_of_target; shift_of_target. Output: result, with zeros
// in the padding.
#include "include/number.glsl"
#include "include/number_target.glsl"
uniform SAMPLER numbers;
uniform int shift, length_of_target, shift_of_target;

void main() {
    int texel = (TEXEL.y << shift_of_target) + TEXEL.x;
    int left = length_of_target - 4 * texel;
    FOUR four = FOUR(0);
    if (left > 0) {
        four = READ(numbers, ivec2(texel & ((1 << shift) - 1), texel >> shift));
    }
    result = FOUR(left > 0 ? four.x : NUMBER(0), left > 1 ? four.y : NUMBER(0), left > 2 ? four.z : NUMBER(0), left > 3 ? four.w : NUMBER(0));
}
