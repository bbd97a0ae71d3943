// A register block of ROWS x COLUMNS elements of C in each fragment. A texel of A holds four consecutive elements of a
// column, one of B four of a row: a step of k, a column of A and a row of B, fetches ROWS / 4 + COLUMNS / 4 texels for
// ROWS * COLUMNS / 4 multiply-adds of vectors.
// Defines: those of include/operands.glsl; ROWS, 4, 8 or 16; COLUMNS, 4 or 8; TO_BUFFER to write C to a buffer, in rows
// of `c_width` texels; CONTINUES, with TO_BUFFER, for one of several passes, which adds to C unless `first` is 0.
// Inputs: a, b, first, last. Outputs: one for each row, with COLUMNS 4 and without TO_BUFFER; else the buffer.
// Source: Fatahalian, Sugerman and Hanrahan 2004, "Minimize Texture Fetches", which had four outputs and wished for
// 8 x 8.
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
// The index in C of row i and of the vector j of the block.
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

// All unrolled steps for two rows, then for the next two: their sums stay in registers where those of the whole block
// do not, and each sum still adds its products in the order of k.
#define ADD_TO_TWO_ROWS(s, products) { PRECISE vec4 low = sums[s]; PRECISE vec4 high = sums[(s) + WIDE]; products sums[s] = low; sums[(s) + WIDE] = high; }
#define ADD(sum, number, u) sum = MAD(vec4(p[(u) * TALL + i].number), q[(u) * WIDE + j], sum);
#define ROWS_0_1(u) ADD(low, x, u) ADD(high, y, u)
#define ROWS_2_3(u) ADD(low, z, u) ADD(high, w, u)

void multiply(int i, int j) {
    ADD_TO_TWO_ROWS(4 * i * WIDE + j, UNROLLED(ROWS_0_1))
    ADD_TO_TWO_ROWS((4 * i + 2) * WIDE + j, UNROLLED(ROWS_2_3))
}

void multiply_one(int i, int j) {
    ADD_TO_TWO_ROWS(4 * i * WIDE + j, ROWS_0_1(0))
    ADD_TO_TWO_ROWS((4 * i + 2) * WIDE + j, ROWS_2_3(0))
}

// Calls instead of loops: a loop that the compiler does not unroll would index registers, which is impossible.
#if WIDE == 1
#define FOR_COLUMNS(f, i) f(i, 0);
#else
#define FOR_COLUMNS(f, i) f(i, 0); f(i, 1);
#endif
#if TALL == 1
#define FOR_BLOCK(f) FOR_COLUMNS(f, 0)
#elif TALL == 2
#define FOR_BLOCK(f) FOR_COLUMNS(f, 0) FOR_COLUMNS(f, 1)
#else
#define FOR_BLOCK(f) FOR_COLUMNS(f, 0) FOR_COLUMNS(f, 1) FOR_COLUMNS(f, 2) FOR_COLUMNS(f, 3)
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
        FOR_BLOCK(multiply)
    }
    for (; k < last; ++k) {
        SET_K
        FETCH(0)
        FOR_BLOCK(multiply_one)
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
