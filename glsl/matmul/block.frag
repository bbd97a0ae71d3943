// A block of ROWS x COLUMNS elements of C in the registers of a fragment. A texel of A holds four
// consecutive elements of a column, one of B four of a row: a step fetches ROWS / 4 + COLUMNS / 4
// texels for ROWS * COLUMNS / 4 multiply-adds of vectors.
// Defines: those of include/operands.glsl. A step of k is a column of A and a row of B. ROWS, 4, 8
// or 16; COLUMNS, 4 or 8; TO_BUFFER, where C goes to a buffer, in rows of `c_width` texels.
// CONTINUES, with TO_BUFFER: one of several passes, which adds to C unless `first` is 0.
// Inputs: a, b, first, last. Outputs: a row each, if COLUMNS is 4; else the buffer.
// Source: "Understanding the Efficiency of GPU Algorithms for Matrix-Matrix Multiplication" (2004),
// "Minimize Texture Fetches": four outputs were the limit then, and 8 x 8 the wish.
#include "include/operands.glsl"

#define TALL (ROWS / 4)
#define WIDE (COLUMNS / 4)

#ifdef TO_BUFFER
#ifdef CONTINUES
layout(std430, binding = 0) buffer C { vec4 c[]; };
#else
layout(std430, binding = 0) writeonly buffer C { vec4 c[]; };
#endif
uniform int c_width;
// Where row i and four j of the block lie in C.
#define IN_C(i, j) ((ROWS * TEXEL.y + (i)) * c_width + WIDE * TEXEL.x + (j))
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
POSITION row[TALL];
POSITION column[WIDE];

vec4 p[UNROLL * TALL];
vec4 q[UNROLL * WIDE];

void fetch(int u) {
    for (int i = 0; i < TALL; ++i) {
        p[u * TALL + i] = A_FROM(row[i], u);
    }
    for (int j = 0; j < WIDE; ++j) {
        q[u * WIDE + j] = B_FROM(column[j], u);
    }
}
#define FETCH(u) fetch(u);

// All steps of a trip for two rows, then for the next two: so many sums stay in registers where
// the whole block does not, and each still adds its products in the order of k.
#define TWO_ROWS(s, products) { PRECISE vec4 low = sums[s]; PRECISE vec4 high = sums[(s) + WIDE]; products sums[s] = low; sums[(s) + WIDE] = high; }
#define ADD(sum, number, u) sum = MAD(vec4(p[(u) * TALL + i].number), q[(u) * WIDE + j], sum);
#define UPPER(u) ADD(low, x, u) ADD(high, y, u)
#define LOWER(u) ADD(low, z, u) ADD(high, w, u)

void multiply(int i, int j) {
    TWO_ROWS(4 * i * WIDE + j, UNROLLED(UPPER))
    TWO_ROWS((4 * i + 2) * WIDE + j, UNROLLED(LOWER))
}

void multiply_one(int i, int j) {
    TWO_ROWS(4 * i * WIDE + j, UPPER(0))
    TWO_ROWS((4 * i + 2) * WIDE + j, LOWER(0))
}

// Written out: a loop that a compiler does not unroll would index registers, which none can.
#if WIDE == 1
#define ACROSS(f, i) f(i, 0);
#else
#define ACROSS(f, i) f(i, 0); f(i, 1);
#endif
#if TALL == 1
#define BLOCK(f) ACROSS(f, 0)
#elif TALL == 2
#define BLOCK(f) ACROSS(f, 0) ACROSS(f, 1)
#else
#define BLOCK(f) ACROSS(f, 0) ACROSS(f, 1) ACROSS(f, 2) ACROSS(f, 3)
#endif

void main() {
    for (int s = 0; s < ROWS * WIDE; ++s) {
        sums[s] = vec4(0.0);
    }
#ifdef CONTINUES
    if (first > 0) {
        for (int i = 0; i < ROWS; ++i) {
            for (int j = 0; j < WIDE; ++j) {
                sums[i * WIDE + j] = c[IN_C(i, j)];
            }
        }
    }
#endif
    for (int i = 0; i < TALL; ++i) {
        row[i] = A_AT(TALL * TEXEL.y + i);
    }
    for (int j = 0; j < WIDE; ++j) {
        column[j] = B_AT(WIDE * TEXEL.x + j);
    }
    int k = first;
    for (; k + UNROLL <= last; k += UNROLL) {
        SET_K
        UNROLLED(FETCH)
        BLOCK(multiply)
    }
    for (; k < last; ++k) {
        SET_K
        FETCH(0)
        BLOCK(multiply_one)
    }
#ifdef TO_BUFFER
    for (int i = 0; i < ROWS; ++i) {
        for (int j = 0; j < WIDE; ++j) {
            c[IN_C(i, j)] = sums[i * WIDE + j];
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
