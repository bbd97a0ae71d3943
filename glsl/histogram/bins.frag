// The bin of each number.
// Defines and inputs: those of include/bin.glsl; numbers; length_of_panel; shift, the exponent of a row's length. Output: result, with zeros in the
// padding.
#include "include/number.glsl"
#include "include/bin.glsl"
uniform SAMPLER numbers;
uniform int length_of_panel, shift;
out uvec4 result;

void main() {
    FOUR four = READ(numbers, TEXEL);
    int left = length_of_panel - 4 * ((TEXEL.y << shift) + TEXEL.x);
    result = uvec4(left > 0 ? bin_of(four.x) : 0u, left > 1 ? bin_of(four.y) : 0u, left > 2 ? bin_of(four.z) : 0u,
        left > 3 ? bin_of(four.w) : 0u);
}
