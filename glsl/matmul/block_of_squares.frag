// A register block of 4 x 4 elements of C in each fragment, from 2 x 2 submatrices: a step of k, a texel of either
// operand in each direction, fetches two texels of A and two of B for 8 multiply-adds of vectors.
// Defines: those of include/operands.glsl.
// Inputs: a, b, first, last. Outputs: the four submatrices of the block, row by row.
// Source: SP of Fatahalian, Sugerman and Hanrahan 2004, with multiple outputs, which did not pay then.
#include "include/operands.glsl"

layout(location = 0) out vec4 square_0;
layout(location = 1) out vec4 square_1;
layout(location = 2) out vec4 square_2;
layout(location = 3) out vec4 square_3;

PRECISE vec4 sums[4];
POSITION row[2];
POSITION column[2];

void step_on(int u) {
    vec4 q[2];
    q[0] = B_FROM(column[0], u);
    q[1] = B_FROM(column[1], u);
    for (int i = 0; i < 2; ++i) {
        vec4 p = A_FROM(row[i], u);
        for (int j = 0; j < 2; ++j) {
            sums[2 * i + j] = MAD(p.xxzz, q[j].xyxy, sums[2 * i + j]);
            sums[2 * i + j] = MAD(p.yyww, q[j].zwzw, sums[2 * i + j]);
        }
    }
}
#define STEP(u) step_on(u);

void main() {
    for (int s = 0; s < 4; ++s) {
        sums[s] = vec4(0.0);
    }
    for (int t = 0; t < 2; ++t) {
        row[t] = A_AT(2 * TEXEL.y + t);
        column[t] = B_AT(2 * TEXEL.x + t);
    }
    int k = first;
    for (; k + UNROLL <= last; k += UNROLL) {
        SET_K
        UNROLLED(STEP)
    }
    for (; k < last; ++k) {
        SET_K
        STEP(0)
    }
    square_0 = sums[0];
    square_1 = sums[1];
    square_2 = sums[2];
    square_3 = sums[3];
}
