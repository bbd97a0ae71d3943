// The parts of an array that work groups sort by a digit of up to 8 bits: each has `tiles` tiles of GROUP * PER keys, one after the other.
//
// Defines   GROUP, the invocations of a group; PER, the keys of each in a tile, of which there are a multiple of four
// Inputs    count, the length of the array; tiles; shift, the place of the digit; mask, the greatest digit
// Provides  TILE, DIGITS, first_of(tile), digit_of(key)
#define TILE (GROUP * PER)
#define DIGITS 256
uniform int count, tiles, shift;
uniform uint mask;

int first_of(int tile) { return (int(gl_WorkGroupID.x) * tiles + tile) * TILE; }

uint digit_of(uint key) { return (key >> shift) & mask; }
