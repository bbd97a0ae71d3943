// C = A B by tiles in shared memory: each invocation loads one element of a tile of A, which is as the group is, and one of
// a tile of B, which is as high as it is wide; all of them multiply the two tiles, and so on along the inner dimension.
// Defines: GROUP_X, GROUP_Y, at least as large; those of include/product.glsl.
// Inputs: A and B row by row, padded with zeros to whole tiles, so that no loop needs a bounds check; `size`, the padded
// rows of A, its columns, and the columns of B; `first` and `last`, exclusive, the steps of k, in whole tiles;
// those of include/batch.glsl, in elements.
// Output: C row by row, in whole tiles; a dispatch with `adds` other than 0 adds to it.
// Source: "Parallel programming using CUDA" (2010), Multiply_Fancy_Tile.
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

shared NUMBER tile_a[GROUP_Y][GROUP_X];
shared NUMBER tile_b[GROUP_X][GROUP_X];

void main() {
    int x = int(gl_LocalInvocationID.x);
    int y = int(gl_LocalInvocationID.y);
    int row = int(gl_GlobalInvocationID.y);
    int col = int(gl_GlobalInvocationID.x);
    int to_c = row * COLUMNS_OF_C(size.z) + col;
    int from_a = row * size.y + first + x;
    int from_b = (first + y) * size.z + COLUMN_OF_B(row, col);
    int step_b = GROUP_X * size.z;
    PRECISE NUMBER sum = NUMBER(0);
    if (adds != 0) {
        sum = c[to_c];
    }
    for (int k = first; k < last; k += GROUP_X) {
        tile_a[y][x] = a[from_a];
        // Invocations of a group that is higher than wide have nothing to load for B below its square.
        if (y < GROUP_X) {
            tile_b[y][x] = b[from_b];
        }
        barrier();
        for (int i = 0; i < GROUP_X; ++i) {
            sum = PLUS_PRODUCT(sum, tile_a[y][i], tile_b[i][x]);
        }
        barrier();
        from_a += GROUP_X;
        from_b += step_b;
    }
    c[to_c] = NARROW(sum);
}
