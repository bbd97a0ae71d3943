// The correlation of direct.frag where rows begin in texels of their own: an invocation computes a block of two texels in each of two
// rows, which share what they read.
// Defines: those of direct.frag, with ALIGNED and GROUP_X. Inputs: the same. Output: the image `value`.
#define BLOCKS
#include "direct.frag"

// A texel of a row, or what is taken in its place beyond the border; zeros of row -1.
vec4 texel_or_border(int row, int place) {
    if (row < 0) {
        return vec4(0.0);
    }
    if (place >= 0 && 4 * place < size.x) {
        return texel_at(row * (size.x / 4) + place);
    }
    vec4 four;
    for (int i = 0; i < 4; i++) {
        int column = inside(4 * place + i, size.x);
        four[i] = column < 0 ? 0.0 : number_at(row * size.x, column);
    }
    return four;
}

// Writes a texel of a row, with zeros after the last row.
void store(int row, int place, vec4 result) {
    int index = row * (size.x / 4) + place;
    ivec2 at = ivec2(index & ((1 << shift) - 1), index >> shift);
    if (4 * place < size.x && at.y < extent.y) {
        imageStore(value, at, row < size.y ? result : vec4(0.0));
    }
}

// Adds what a row gives to the results of the block: the row is the i-th that those of its first row take.
void add(int i, vec4 texels[SPAN + 1], inout vec4 sums[4]) {
    float numbers[4 * (SPAN + 1)];
    for (int t = 0; t <= SPAN; t++) {
        numbers[4 * t] = texels[t].x;
        numbers[4 * t + 1] = texels[t].y;
        numbers[4 * t + 2] = texels[t].z;
        numbers[4 * t + 3] = texels[t].w;
    }
    for (int j = 0; j < COLUMNS; j++) {
        int from = 4 * BEFORE - LEFT + j;
        vec4 first = vec4(numbers[from], numbers[from + 1], numbers[from + 2], numbers[from + 3]);
        vec4 second = vec4(numbers[from + 4], numbers[from + 5], numbers[from + 6], numbers[from + 7]);
        if (i < ROWS) {
            sums[0] += WEIGHT(i, j) * first;
            sums[1] += WEIGHT(i, j) * second;
        }
        if (i > 0) {
            sums[2] += WEIGHT(i - 1, j) * first;
            sums[3] += WEIGHT(i - 1, j) * second;
        }
    }
}

void main() {
    int row = 2 * int(gl_GlobalInvocationID.y);
    int place = 2 * int(gl_GlobalInvocationID.x);
    vec4 sums[4] = vec4[4](vec4(0.0), vec4(0.0), vec4(0.0), vec4(0.0));
    vec4 texels[SPAN + 1];
    // Away from the borders nothing is asked of a texel.
    bool inner = row >= UP && row + ROWS - UP < size.y && place >= BEFORE && 4 * (place - BEFORE + SPAN) < size.x;
    if (inner) {
        int first = (row - UP) * (size.x / 4) + place - BEFORE;
        for (int i = 0; i <= ROWS; i++) {
            for (int t = 0; t <= SPAN; t++) {
                texels[t] = texel_at(first + i * (size.x / 4) + t);
            }
            add(i, texels, sums);
        }
    } else {
        for (int i = 0; i <= ROWS; i++) {
            int from_row = inside(row + i - UP, size.y);
            for (int t = 0; t <= SPAN; t++) {
                texels[t] = texel_or_border(from_row, place + t - BEFORE);
            }
            add(i, texels, sums);
        }
    }
    store(row, place, sums[0]);
    store(row, place + 1, sums[1]);
    store(row + 1, place, sums[2]);
    store(row + 1, place + 1, sums[3]);
}
