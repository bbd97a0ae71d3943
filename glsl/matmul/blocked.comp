// C = A B by large tiles: a work group computes a tile of C, and each invocation a register block of it. Tiles of A and B
// are double-buffered in shared memory: while one pair is multiplied the next is loaded through registers, so that one
// barrier for each tile is enough.
//
//      B  TILE_INNER x TILE_COLS           an invocation's block: BLOCK_ROWS x BLOCK_COLS, in pieces of
//   A  C  TILE_ROWS x TILE_COLS            4 x 4, strided by the number of invocations across the tile,
//                                          so that adjacent invocations read adjacent texels
//
// Defines: TILE_ROWS, TILE_COLS, TILE_INNER, BLOCK_ROWS, BLOCK_COLS; THREADS, the blocks of a tile, a
// multiple of LANES_X x LANES_Y and of both TILE_ROWS / 4 and TILE_COLS / 4; LANES_X, LANES_Y, the patch of adjacent
// invocations: a compact one reads the fewest bytes.
// Inputs, both padded with zeros to whole tiles, in vec4: A by columns, B by rows; `size`, the padded rows of A, its
// columns, and the columns of B; those of include/batch.glsl, in elements. Output: C by rows in vec4, padded to whole tiles.
// CONTINUES: one of several dispatches, which computes the steps of k from `first` to `last`, exclusive, in whole tiles,
// and adds to C unless `adds` is 0. Drivers generate faster code for a C that is only written.
// SPLIT: the work groups along z compute parts of C, each from `span` steps of k in whole tiles; the output is
// all parts, one after the other, which matmul/sum_parts.comp adds.
// PREFETCH: an invocation reads from shared memory for the next step of k before it multiplies, and loads the last tiles
// once more instead of branching. TILE_INNER is even. A GPU is a fifth faster so, a software renderer slower.
// Source: the method of Volkov and Demmel, "Benchmarking GPUs to Tune Dense Linear Algebra" (2008),
// with shared memory for both operands as in Nath, Tomov and Dongarra, "An Improved MAGMA GEMM" (2010).
#include "include/fused.glsl"
#include "include/batch.glsl"

layout(local_size_x = THREADS) in;
layout(std430, binding = 0) readonly buffer A { vec4 a[]; };
layout(std430, binding = 1) readonly buffer B { vec4 b[]; };
uniform ivec3 size;
#ifdef CONTINUES
layout(std430, binding = 2) buffer C { vec4 c[]; };
uniform int first;
uniform int last;
uniform int adds;
#else
layout(std430, binding = 2) writeonly buffer C { vec4 c[]; };
#ifdef SPLIT
uniform int span;
#define first (int(gl_WorkGroupID.z) * span)
#define last min(first + span, size.y)
#else
#define first 0
#define last size.y
#endif
#endif

// The vec4s of a tile and of a block, down and across, and the invocations down and across a tile.
#define TILE_DOWN (TILE_ROWS / 4)
#define TILE_ACROSS (TILE_COLS / 4)
#define BLOCK_DOWN (BLOCK_ROWS / 4)
#define BLOCK_ACROSS (BLOCK_COLS / 4)
#define DOWN (TILE_ROWS / BLOCK_ROWS)
#define ACROSS (TILE_COLS / BLOCK_COLS)
// The rows of a tile that one round of loads fills, and the number of rounds.
#define ROUND_A (THREADS / TILE_DOWN)
#define ROUND_B (THREADS / TILE_ACROSS)
#define ROUNDS_A (TILE_INNER / ROUND_A)
#define ROUNDS_B (TILE_INNER / ROUND_B)
#define LANES (LANES_X * LANES_Y)
// The index in C of row i and vector j of an invocation's block.
#define ROW(i) (4 * (first_row + y + (i) / 4 * DOWN) + (i) % 4)
#define IN_C(i, j) (to_c + ROW(i) * stride_c + first_col + x + (j) * ACROSS)
// Steps of k whose vec4s are in registers, and the condition on which the next tiles are loaded.
#ifdef PREFETCH
#define STAGES 2
#define IF_MORE
#else
#define STAGES 1
#define IF_MORE if (more)
#endif

shared vec4 tile_a[2][TILE_INNER][TILE_DOWN];
shared vec4 tile_b[2][TILE_INNER][TILE_ACROSS];

PRECISE vec4 sums[BLOCK_ROWS][BLOCK_ACROSS];
vec4 of_a[STAGES][BLOCK_DOWN];
vec4 of_b[STAGES][BLOCK_ACROSS];
int x;
int y;
// Which of the two tiles of each operand is multiplied.
int now;

void read_step(int stage, int k) {
    for (int i = 0; i < BLOCK_DOWN; ++i) {
        of_a[stage][i] = tile_a[now][k][y + i * DOWN];
    }
    for (int j = 0; j < BLOCK_ACROSS; ++j) {
        of_b[stage][j] = tile_b[now][k][x + j * ACROSS];
    }
}

void multiply(int stage) {
    for (int i = 0; i < BLOCK_ROWS; ++i) {
        for (int j = 0; j < BLOCK_ACROSS; ++j) {
            sums[i][j] = MAD(vec4(of_a[stage][i / 4][i % 4]), of_b[stage][j], sums[i][j]);
        }
    }
}

void main() {
    int thread = int(gl_LocalInvocationIndex);
    int lane = thread % LANES;
    int patch_x = thread / LANES % (ACROSS / LANES_X);
    int patch_y = thread / LANES / (ACROSS / LANES_X);
    x = lane % LANES_X + patch_x * LANES_X;
    y = lane / LANES_X + patch_y * LANES_Y;
    int first_row = int(gl_WorkGroupID.y) * TILE_DOWN;
    int first_col = int(gl_WorkGroupID.x) * TILE_ACROSS;

    // The vec4 of each tile that this invocation loads in the first round.
    int stride_a = size.x / 4;
    int stride_b = size.z / 4;
    int stride_c = COLUMNS_OF_C(size.z) / 4;
    int k_a = thread / TILE_DOWN;
    int k_b = thread / TILE_ACROSS;
    int at_a = thread % TILE_DOWN;
    int at_b = thread % TILE_ACROSS;
    int from_a = (first + k_a) * stride_a + first_row + at_a;
    int from_b = (first + k_b) * stride_b + COLUMN_OF_B(4 * first_row, 4 * first_col) / 4 + at_b;
    int end = last;
#ifdef SPLIT
    int to_c = int(gl_WorkGroupID.z) * size.x * stride_c;
#else
    int to_c = 0;
#endif

    for (int i = 0; i < ROUNDS_A; ++i) {
        tile_a[0][k_a + i * ROUND_A][at_a] = a[from_a + i * ROUND_A * stride_a];
    }
    for (int i = 0; i < ROUNDS_B; ++i) {
        tile_b[0][k_b + i * ROUND_B][at_b] = b[from_b + i * ROUND_B * stride_b];
    }
    barrier();

    for (int i = 0; i < BLOCK_ROWS; ++i) {
        for (int j = 0; j < BLOCK_ACROSS; ++j) {
            sums[i][j] = vec4(0.0);
        }
    }
#ifdef CONTINUES
    if (adds != 0) {
        for (int i = 0; i < BLOCK_ROWS; ++i) {
            for (int j = 0; j < BLOCK_ACROSS; ++j) {
                sums[i][j] = c[IN_C(i, j)];
            }
        }
    }
#endif
    vec4 next_a[ROUNDS_A];
    vec4 next_b[ROUNDS_B];
    now = 0;
#ifdef PREFETCH
    read_step(0, 0);
#endif
    for (int k0 = first + TILE_INNER; k0 <= end; k0 += TILE_INNER) {
        bool more = k0 < end;
        from_a += more ? TILE_INNER * stride_a : 0;
        from_b += more ? TILE_INNER * stride_b : 0;
        IF_MORE {
            for (int i = 0; i < ROUNDS_A; ++i) {
                next_a[i] = a[from_a + i * ROUND_A * stride_a];
            }
            for (int i = 0; i < ROUNDS_B; ++i) {
                next_b[i] = b[from_b + i * ROUND_B * stride_b];
            }
        }
#ifdef PREFETCH
        for (int k = 0; k < TILE_INNER - 2; k += 2) {
            read_step(1, k + 1);
            multiply(0);
            read_step(0, k + 2);
            multiply(1);
        }
        read_step(1, TILE_INNER - 1);
        multiply(0);
#else
        for (int k = 0; k < TILE_INNER; ++k) {
            read_step(0, k);
            multiply(0);
        }
#endif
        IF_MORE {
            for (int i = 0; i < ROUNDS_A; ++i) {
                tile_a[1 - now][k_a + i * ROUND_A][at_a] = next_a[i];
            }
            for (int i = 0; i < ROUNDS_B; ++i) {
                tile_b[1 - now][k_b + i * ROUND_B][at_b] = next_b[i];
            }
        }
        barrier();
        now = 1 - now;
#ifdef PREFETCH
        read_step(0, 0);
        multiply(1);
#endif
    }

    for (int i = 0; i < BLOCK_ROWS; ++i) {
        for (int j = 0; j < BLOCK_ACROSS; ++j) {
            c[IN_C(i, j)] = sums[i][j];
        }
    }
}
