// The parts of an array that work groups sort by a digit of up to 8 bits: each has `tiles` tiles of GROUP invocations, one after the other.
//
// Defines   GROUP; PER, the keys of an invocation in a tile, a multiple of 4
// Inputs    Keys; count, the length of the array; tiles; shift, the place of the digit; mask, the greatest digit
// Provides  TILE, DIGITS, first_of(tile), keys_at(texel), digit_of(key)
#define TILE (GROUP * PER)
#define DIGITS 256
layout(std430, binding = 0) readonly buffer Keys { uvec4 keys[]; };
uniform int count, tiles, shift;
uniform uint mask;

int first_of(int tile) { return (int(gl_WorkGroupID.x) * tiles + tile) * TILE; }

// Four keys. What stands behind the last key sorts behind it, since no key is greater and its place is later.
uvec4 keys_at(int texel) {
    int left = count - 4 * texel;
    uvec4 four = uvec4(0xffffffffu);
    if (left > 0) {
        four = keys[texel];
    }
    return uvec4(four.x, left > 1 ? four.y : 0xffffffffu, left > 2 ? four.z : 0xffffffffu, left > 3 ? four.w : 0xffffffffu);
}

uint digit_of(uint key) { return (key >> shift) & mask; }
