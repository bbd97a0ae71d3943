// C = A B: a work group for each tile of C, an invocation for each element, without shared memory. One work group of the
// size of C is `Multiply_Simple`.
// Defines: GROUP_X, GROUP_Y, the tile; those of include/product.glsl.
// Inputs: A and B row by row; `size`, the rows of A, its columns, and the columns of B; `first` and `last`, exclusive,
// the steps of k; those of include/batch.glsl, in elements.
// Output: C row by row; a dispatch with `adds` other than 0 adds to it. Invocations outside C do nothing.
// Source: "Parallel programming using CUDA" (2010), Multiply_Simple and Multiply_Simple_Tile.
layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;
layout(std430, binding = 0) readonly buffer A { NUMBER a[]; };
layout(std430, binding = 1) readonly buffer B { NUMBER b[]; };
layout(std430, binding = 2) buffer C { NUMBER c[]; };
uniform ivec3 size;
uniform int first;
uniform int last;
uniform int adds;
#include "include/product.glsl"
#include "include/batch.glsl"

void main() {
    int row = int(gl_GlobalInvocationID.y);
    int col = int(gl_GlobalInvocationID.x);
    int columns = COLUMNS_OF_C(size.z);
    if (row >= size.x || col >= columns) {
        return;
    }
    int to_c = row * columns + col;
    int from_a = row * size.y + first;
    int from_b = first * size.z + COLUMN_OF_B(row, col);
    PRECISE NUMBER sum = NUMBER(0);
    if (adds != 0) {
        sum = c[to_c];
    }
    for (int k = first; k < last; ++k) {
        sum = PLUS_PRODUCT(sum, a[from_a], b[from_b]);
        from_a += 1;
        from_b += size.z;
    }
    c[to_c] = NARROW(sum);
}
