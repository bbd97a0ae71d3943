// One element of C = A B in each fragment: a row of A times a column of B.
// Defines: those of include/operands.glsl; NUMBER, float or int; INTEGER for int; SHORT for 16 bits; FOUR if four
// consecutive k share a texel of either operand.
// Inputs: a, b, first, last; partial, the sums so far. Output: the sums.
// Source: the definition of the product; Multiply_Simple of "Parallel programming using CUDA" (2010).
#include "include/operands.glsl"

uniform SAMPLER partial;
#ifdef INTEGER
layout(location = 0) out int whole;
#else
layout(location = 0) out float element;
#endif

PRECISE NUMBER sum;
POSITION row;
POSITION column;

void step_on(int u) {
#ifdef FOUR
    vec4 p = A_FROM(row, u);
    vec4 q = B_FROM(column, u);
    sum = MAD(p.x, q.x, sum);
    sum = MAD(p.y, q.y, sum);
    sum = MAD(p.z, q.z, sum);
    sum = MAD(p.w, q.w, sum);
#elif defined(INTEGER)
    sum += A_FROM(row, u).r * B_FROM(column, u).r;
#else
    sum = MAD(A_FROM(row, u).r, B_FROM(column, u).r, sum);
#endif
}
#define STEP(u) step_on(u);

void main() {
    sum = READ(partial, TEXEL).r;
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
#ifdef SHORT
    sum = (sum << 16) >> 16; // Wraps, where a store would be undefined.
#endif
#ifdef INTEGER
    whole = sum;
#else
    element = sum;
#endif
}
