// The parts of an array that work groups sort by a digit of 8 bits: each has `tiles` tiles of GROUP invocations, one after the other.
//
// Defines   GROUP; PER, the keys of an invocation in a tile; FIRST if the array has numbers, and not keys of an earlier pass
// Inputs    Keys; count, the length of the array; tiles; shift, the place of the digit
// Provides  TILE, first_of(tile), key_at(index), digit_of(key)
#include "include/sort_key.glsl"
#define TILE (GROUP * PER)
#define DIGITS 256
layout(std430, binding = 0) readonly buffer Keys { uint keys[]; };
uniform int count, tiles, shift;

int first_of(int tile) { return (int(gl_WorkGroupID.x) * tiles + tile) * TILE; }

// What stands behind the last key sorts behind it, since no key is greater and its place is later.
uint key_at(int index) {
    if (index >= count) {
        return 0xffffffffu;
    }
#ifdef FIRST
    return key_of(keys[index]);
#else
    return keys[index];
#endif
}

int digit_of(uint key) { return int((key >> shift) & 255u); }
