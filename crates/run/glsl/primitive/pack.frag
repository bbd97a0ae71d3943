// A vector of the numbers of an array, four to a texel: one channel of each cell, or two in turns.
//
// Defines: a NUMBER_ (include/number.glsl). Inputs: cells, the array; size, its width and height; columns, whether the vector goes down
// one column after the other, rather than along the rows; first, the channel; turns, 1 or 2 channels from there on; shift, the exponent
// of the length of the target's rows. Output: result, which is 0 behind the last number. Source: none; a gather.
#include "include/number.glsl"
#include "include/number_target.glsl"
uniform SAMPLER cells;
uniform ivec2 size;
uniform bool columns;
uniform int first, turns, shift;

NUMBER number(int index) {
    int cell = index / turns;
    if (cell >= size.x * size.y) return NUMBER(0);
    ivec2 place = columns ? ivec2(cell / size.y, cell % size.y) : ivec2(cell % size.x, cell / size.x);
    return READ(cells, place)[first + index % turns];
}

void main() {
    int index = 4 * ((TEXEL.y << shift) + TEXEL.x);
    result = FOUR(number(index), number(index + 1), number(index + 2), number(index + 3));
}
