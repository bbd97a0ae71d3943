// C = A B: a work group for each tile of C, an invocation for each element, operands straight from
// their buffers. One work group of the size of C is the document's `Multiply_Simple`.
// Defines: GROUP_X, GROUP_Y, the tile; those of include/product.glsl.
// Inputs: A and B row by row; `size`, the rows of A, its columns, and the columns of B.
// Output: C row by row. Invocations outside C do nothing.
// Source: "Parallel programming using CUDA" (2010), Multiply_Simple and Multiply_Simple_Tile.
layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;
layout(std430, binding = 0) readonly buffer A { NUMBER a[]; };
layout(std430, binding = 1) readonly buffer B { NUMBER b[]; };
layout(std430, binding = 2) writeonly buffer C { NUMBER c[]; };
uniform ivec3 size;
#include "include/product.glsl"

void main() {
    int row = int(gl_GlobalInvocationID.y);
    int col = int(gl_GlobalInvocationID.x);
    if (row >= size.x || col >= size.z) {
        return;
    }
    int from_a = row * size.y;
    int from_b = col;
    PRECISE NUMBER sum = NUMBER(0);
    for (int k = 0; k < size.y; ++k) {
        sum = PLUS_PRODUCT(sum, a[from_a], b[from_b]);
        from_a += 1;
        from_b += size.z;
    }
    c[row * size.z + col] = NARROW(sum);
}
