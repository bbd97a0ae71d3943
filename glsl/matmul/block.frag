// A block of ROWS x COLUMNS elements of C in the registers of a fragment. A texel of A holds four
// consecutive elements of a column, one of B four of a row: a step fetches ROWS / 4 + COLUMNS / 4
// texels for ROWS * COLUMNS / 4 multiply-adds of vectors.
// Defines: those of include/operands.glsl. A step of k is a column of A and a row of B. ROWS, 4, 8
// or 16; COLUMNS, 4 or 8; TO_BUFFER, where C goes to a buffer, in rows of `c_width` texels.
// Inputs: a, b, first, last. Outputs: a row each, if COLUMNS is 4; else the buffer.
// Source: "Understanding the Efficiency of GPU Algorithms for Matrix-Matrix Multiplication" (2004),
// "Minimize Texture Fetches": four outputs were the limit then, and 8 x 8 the wish.
#include "include/operands.glsl"

#define TALL (ROWS / 4)
#define WIDE (COLUMNS / 4)

#ifdef TO_BUFFER
layout(std430, binding = 0) writeonly buffer C { vec4 c[]; };
uniform int c_width;
#else
layout(location = 0) out vec4 row_0;
layout(location = 1) out vec4 row_1;
layout(location = 2) out vec4 row_2;
layout(location = 3) out vec4 row_3;
#if ROWS > 4
layout(location = 4) out vec4 row_4;
layout(location = 5) out vec4 row_5;
layout(location = 6) out vec4 row_6;
layout(location = 7) out vec4 row_7;
#endif
#endif

PRECISE vec4 sums[ROWS * WIDE];
AT row[TALL];
AT column[WIDE];

void step_on(int u) {
    vec4 q[WIDE];
    for (int j = 0; j < WIDE; ++j) {
        q[j] = B_FROM(column[j], u);
    }
    for (int i = 0; i < TALL; ++i) {
        vec4 p = A_FROM(row[i], u);
        for (int j = 0; j < WIDE; ++j) {
            int s = 4 * i * WIDE + j;
            sums[s] = MAD(vec4(p.x), q[j], sums[s]);
            sums[s + WIDE] = MAD(vec4(p.y), q[j], sums[s + WIDE]);
            sums[s + 2 * WIDE] = MAD(vec4(p.z), q[j], sums[s + 2 * WIDE]);
            sums[s + 3 * WIDE] = MAD(vec4(p.w), q[j], sums[s + 3 * WIDE]);
        }
    }
}
#define STEP(u) step_on(u);

void main() {
    for (int s = 0; s < ROWS * WIDE; ++s) {
        sums[s] = vec4(0.0);
    }
    for (int i = 0; i < TALL; ++i) {
        row[i] = A_AT(TALL * TEXEL.y + i);
    }
    for (int j = 0; j < WIDE; ++j) {
        column[j] = B_AT(WIDE * TEXEL.x + j);
    }
    int k = first;
    for (; k + UNROLL <= last; k += UNROLL) {
        SET_OUT
        UNROLLED(STEP)
    }
    for (; k < last; ++k) {
        SET_OUT
        STEP(0)
    }
#ifdef TO_BUFFER
    for (int i = 0; i < ROWS; ++i) {
        for (int j = 0; j < WIDE; ++j) {
            c[(ROWS * TEXEL.y + i) * c_width + WIDE * TEXEL.x + j] = sums[i * WIDE + j];
        }
    }
#else
    row_0 = sums[0];
    row_1 = sums[1];
    row_2 = sums[2];
    row_3 = sums[3];
#if ROWS > 4
    row_4 = sums[4];
    row_5 = sums[5];
    row_6 = sums[6];
    row_7 = sums[7];
#endif
#endif
}
