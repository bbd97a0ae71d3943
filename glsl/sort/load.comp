// The numbers of a panel as keys, or with BITS their bits; with PLACES their places in the vector.
//
// Defines: those of include/sort_key.glsl; PLACES; GROUP_X, GROUP_Y. Inputs: numbers; start, the texels of the panels before; length_of_panel;
// shift, the exponent of a row's length. Output: Keys; what stands in the padding is undefined.
layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;
#include "include/number.glsl"
#include "include/sort_key.glsl"
layout(std430, binding = 0) writeonly buffer Keys { uvec4 keys[]; };
#ifndef PLACES
uniform SAMPLER numbers;
#endif
uniform int start, length_of_panel, shift;

void main() {
    ivec2 place = ivec2(gl_GlobalInvocationID.xy);
    int index = (place.y << shift) + place.x;
    if (place.x >> shift != 0 || 4 * index >= length_of_panel) {
        return;
    }
#ifdef PLACES
    keys[start + index] = uvec4(4 * (start + index)) + uvec4(0u, 1u, 2u, 3u);
#else
    FOUR four = READ(numbers, place);
    keys[start + index] = uvec4(key_of(four.x), key_of(four.y), key_of(four.z), key_of(four.w));
#endif
}
