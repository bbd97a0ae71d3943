// The cells of a matrix in a buffer, texel by texel and row by row, from a texture of one element a
// texel: a cell an invocation. Cells of one element are the matrix by rows or, transposed, by columns,
// as compute shaders read it. Zeros fill up what is larger than the matrix.
// Defines: those of include/cells.glsl; GROUP, the side of a work group.
// Inputs: matrix; `size`, the texels along x and y. Output: the buffer.
// Source: the obvious one.
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
