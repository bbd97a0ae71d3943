// Column packed (CP): a texel holds four consecutive elements of a column. A step multiplies a
// 4 x 4 block of A, four texels, with four elements of a column of B, one texel: 5 fetches for 4
// multiply-adds of vectors.
// Defines: those of include/operands.glsl. A step of k is four columns of A and a texel of B.
// Inputs: a, b, first, last; partial, the sums so far. Output: the sums.
// Source: Larsen and McAllister 2001 and Moravanszky 2003, as "Method 1" of Fatahalian, Sugerman and Hanrahan 2004.
#include "include/operands.glsl"

uniform SAMPLER partial;
layout(location = 0) out vec4 rows;

PRECISE vec4 sums;
POSITION row;
POSITION column;

// Four statements: one expression would associate, and so round, in another order than the other methods.
void step_on(int u) {
    vec4 q = B_FROM(column, u);
    sums = MAD(A_FROM(row, 4 * (u)), vec4(q.x), sums);
    sums = MAD(A_FROM(row, 4 * (u) + 1), vec4(q.y), sums);
    sums = MAD(A_FROM(row, 4 * (u) + 2), vec4(q.z), sums);
    sums = MAD(A_FROM(row, 4 * (u) + 3), vec4(q.w), sums);
}
#define STEP(u) step_on(u);

// There are four columns of A for each texel of B.
#undef SET_K
#define SET_K offset_a = A_STEPS(4 * k); offset_b = B_STEPS(k);

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
    rows = sums;
}
