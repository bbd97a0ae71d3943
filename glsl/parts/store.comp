// The numbers of a buffer as those of a panel; with KEYS the numbers of keys.
//
// Defines: a NUMBER_; GROUP_X, GROUP_Y; PER, the texels of an invocation, GROUP_X apart; KEYS, and those of include/sort_key.glsl. Inputs: Numbers; start, the texel of the panel that is the
// buffer's first, or less than 0 where it stands behind; rows, the first that is written and the one behind the last; length_of_panel; shift,
// the exponent of a row's length. Output: panel, with zeros in the padding.
layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;
#include "include/number.glsl"
#ifdef KEYS
#include "include/sort_key.glsl"
layout(std430, binding = 0) readonly buffer Numbers { uvec4 keys[]; };
#else
layout(std430, binding = 0) readonly buffer Numbers { FOUR numbers[]; };
#endif
layout(binding = 0, FORMAT) uniform writeonly highp IMAGE panel;
uniform int start, length_of_panel, shift;
uniform ivec2 rows;

FOUR four_at(int texel) {
#ifdef KEYS
    uvec4 four = keys[texel];
    return FOUR(number_of(four.x), number_of(four.y), number_of(four.z), number_of(four.w));
#else
    return numbers[texel];
#endif
}

void store(ivec2 place, FOUR four) {
    int left = length_of_panel - 4 * ((place.y << shift) + place.x);
    imageStore(panel, place, FOUR(left > 0 ? four.x : NUMBER(0), left > 1 ? four.y : NUMBER(0), left > 2 ? four.z : NUMBER(0),
        left > 3 ? four.w : NUMBER(0)));
}

void main() {
    ivec2 group = ivec2(gl_WorkGroupID.xy) * ivec2(PER * GROUP_X, GROUP_Y);
    ivec2 first = group + ivec2(gl_LocalInvocationID.xy) + ivec2(0, rows.x);
    if (first.y >= rows.y) {
        return;
    }
    // All are read before the first is written, so that none waits.
    FOUR fours[PER];
    for (int k = 0; k < PER; k++) {
        int x = first.x + k * GROUP_X;
        int index = (first.y << shift) + x;
        fours[k] = FOUR(0);
        if (x >> shift == 0 && 4 * index < length_of_panel) {
            fours[k] = four_at(index - start);
        }
    }
    for (int k = 0; k < PER; k++) {
        int x = first.x + k * GROUP_X;
        if (x >> shift == 0) {
            store(ivec2(x, first.y), fours[k]);
        }
    }
}
