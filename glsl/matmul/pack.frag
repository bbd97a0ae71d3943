// The cells of a matrix, as the methods that draw read their operands: a texel of 1 x 1, 4 x 1, 1 x 4
// or 2 x 2 elements, from a texture of one element a texel. Zeros fill up what is larger than the
// matrix.
// Defines: those of include/cells.glsl; INTEGER, where NUMBER is int. A cell of four is of floats.
// Input: matrix. Output: the cells.
// Source: the packings of "Understanding the Efficiency of GPU Algorithms for Matrix-Matrix
// Multiplication" (2004), made on the device.
#include "include/cells.glsl"

#if LANES > 1
layout(location = 0) out vec4 cell;
#elif defined(INTEGER)
layout(location = 0) out int whole;
#else
layout(location = 0) out float element;
#endif

void main() {
#if LANES > 1
    cell.x = element_at(TEXEL, 0);
    cell.y = element_at(TEXEL, 1);
    cell.z = element_at(TEXEL, 2);
    cell.w = element_at(TEXEL, 3);
#elif defined(INTEGER)
    whole = element_at(TEXEL, 0);
#else
    element = element_at(TEXEL, 0);
#endif
}
