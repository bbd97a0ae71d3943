// The numbers of a panel as keys, or with BITS their bits.
//
// Defines: those of include/sort_key.glsl; GROUP_X, GROUP_Y. Inputs: numbers; start, the texels of the panels before; length_of_panel;
// shift, the exponent of a row's length. Output: Keys; what stands in the padding is undefined.
layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;
#include "include/number.glsl"
#include "include/sort_key.glsl"
layout(std430, binding = 0) writeonly buffer Keys { uvec4 keys[]; };
uniform SAMPLER numbers;
uniform int start, length_of_panel, shift;

void main() {
    ivec2 place = ivec2(gl_GlobalInvocationID.xy);
    int index = (place.y << shift) + place.x;
    if (place.x >> shift != 0 || 4 * index >= length_of_panel) {
        return;
    }
    FOUR four = READ(numbers, place);
    keys[start + index] = uvec4(key_of(four.x), key_of(four.y), key_of(four.z), key_of(four.w));
}
