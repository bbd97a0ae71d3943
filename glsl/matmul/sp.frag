// Submatrix packed (SP): a texel holds a 2 x 2 submatrix, row by row. A step multiplies two of
// them: 2 fetches for 2 multiply-adds of vectors.
// Defines: those of include/operands.glsl. A step of k is a texel of either operand.
// Inputs: a, b, first, last; partial, the sums so far. Output: the sums.
// Source: Hall, Carr and Hart 2003, as "Method 2" of Fatahalian, Sugerman and Hanrahan 2004.
#include "include/operands.glsl"

uniform SAMPLER partial;
layout(location = 0) out vec4 square;

PRECISE vec4 sums;
POSITION row;
POSITION column;

void step_on(int u) {
    vec4 p = A_FROM(row, u);
    vec4 q = B_FROM(column, u);
    sums = MAD(p.xxzz, q.xyxy, sums);
    sums = MAD(p.yyww, q.zwzw, sums);
}
#define STEP(u) step_on(u);

void main() {
    sums = READ(partial, TEXEL);
    row = A_AT(TEXEL.y);
    column = B_AT(TEXEL.x);
    int k = first;
    for (; k + UNROLL <= last; k += UNROLL) {
        SET_K
        UNROLLED(STEP)
    }
    for (; k < last; ++k) {
        SET_K
        STEP(0)
    }
    square = sums;
}
