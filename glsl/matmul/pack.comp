// Packs a matrix of one element in a texel into a buffer of cells, row by row, padded with zeros: one cell for each
// invocation. Cells of one element are the matrix by rows or, transposed, by columns, as compute shaders read it.
// Defines: those of include/cells.glsl; GROUP, the side of a work group.
// Inputs: matrix; `size`, the cells along x and y. Output: the buffer.
layout(local_size_x = GROUP, local_size_y = GROUP) in;
layout(std430, binding = 0) writeonly buffer Cells { NUMBER cells[]; };
uniform ivec2 size;
#include "include/cells.glsl"

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(texel, size))) {
        return;
    }
    int first = (texel.y * size.x + texel.x) * LANES;
    for (int lane = 0; lane < LANES; ++lane) {
        cells[first + lane] = element_at(texel, lane);
    }
}
