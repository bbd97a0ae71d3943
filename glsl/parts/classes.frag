// The classes of the numbers of a panel, 4 bits each: 32 in a texel, the first in the lowest bits of its first word.
//
// Defines: those of include/classes.glsl. Inputs: those of include/classes.glsl; shift_of_target. Output: class_words; what stands in the padding
// is undefined.
#include "include/number.glsl"
#include "include/classes.glsl"
uniform int shift_of_target;
out uvec4 class_words;

void main() {
    uvec4 words = uvec4(0u);
    int first = 8 * ((TEXEL.y << shift_of_target) + TEXEL.x);
    for (int k = 0; k < 8 && 4 * (first + k) < length_of_panel; k++) {
        uvec4 four = classes_of(READ(numbers, place_of(first + k)), first + k) & 15u;
        words[k >> 1] |= (four.x | four.y << 4 | four.z << 8 | four.w << 12) << (16 * (k & 1));
    }
    class_words = words;
}
