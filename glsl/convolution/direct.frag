// A correlation with few weights: each number is the sum of its neighbours, times weights.
//
// Defines: ROWS, COLUMNS, the weights' shape, and UP, LEFT, the place among them of the number itself. ALIGNED if rows begin in texels of
// their own; BLOCKS in blocks.comp, which has another main. Those of include/border.glsl and include/each_texel.glsl. Inputs: x and shift, the exponent of its rows' length, which is
// the result's too; size, the columns and rows of the array; weights, four in a vector, row by row. Output: the texels.
#include "include/border.glsl"
#include "include/each_texel.glsl"
uniform sampler2D x;
uniform int shift;
uniform ivec2 size;
uniform vec4 weights[(ROWS * COLUMNS + 3) / 4];

vec4 texel_at(int index) { return READ(x, ivec2(index & ((1 << shift) - 1), index >> shift)); }

// The number of a row that begins there.
float number_at(int row, int column) { return texel_at((row + column) >> 2)[(row + column) & 3]; }

#define WEIGHT(i, j) weights[((i) * COLUMNS + (j)) >> 2][((i) * COLUMNS + (j)) & 3]

// One number: whatever the shape is, and near the borders.
float value_at(int row, int column) {
    float sum = 0.0;
    for (int i = 0; i < ROWS; i++) {
        int from_row = inside(row + i - UP, size.y);
        for (int j = 0; j < COLUMNS; j++) {
            int from = inside(column + j - LEFT, size.x);
            float number = from_row < 0 || from < 0 ? 0.0 : number_at(from_row * size.x, from);
            sum += WEIGHT(i, j) * number;
        }
    }
    return sum;
}

float value_of(int at) {
    int row = at / size.x;
    return row < size.y ? value_at(row, at - row * size.x) : 0.0;
}

#ifdef ALIGNED
// The texels of a row that four results take: SPAN of them from BEFORE before their own on.
#define BEFORE ((LEFT + 3) / 4)
#define SPAN (BEFORE + 1 + (COLUMNS - 1 - LEFT + 3) / 4)

vec4 values_at(int row, int column) {
    float numbers[4 * SPAN];
    vec4 sum = vec4(0.0);
    for (int i = 0; i < ROWS; i++) {
        int first = ((row + i - UP) * size.x + column) / 4 - BEFORE;
        for (int t = 0; t < SPAN; t++) {
            vec4 four = texel_at(first + t);
            numbers[4 * t] = four.x;
            numbers[4 * t + 1] = four.y;
            numbers[4 * t + 2] = four.z;
            numbers[4 * t + 3] = four.w;
        }
        for (int j = 0; j < COLUMNS; j++) {
            int from = 4 * BEFORE - LEFT + j;
            sum += WEIGHT(i, j) * vec4(numbers[from], numbers[from + 1], numbers[from + 2], numbers[from + 3]);
        }
    }
    return sum;
}
#endif

vec4 texel_of_result() {
    int at = 4 * ((TEXEL.y << shift) + TEXEL.x);
#ifdef ALIGNED
    int row = at / size.x;
    int column = at - row * size.x;
    bool in_rows = row >= UP && row + ROWS - 1 - UP < size.y;
    if (in_rows && column >= 4 * BEFORE && column + 4 * (SPAN - BEFORE) <= size.x) {
        return values_at(row, column);
    }
#endif
    return vec4(value_of(at), value_of(at + 1), value_of(at + 2), value_of(at + 3));
}

#ifndef BLOCKS
void main() {
    WRITE(texel_of_result());
}
#endif
