// Packs a matrix of one element in a texel into a texture of cells, padded with zeros: 1 x 1, 4 x 1, 1 x 4 or 2 x 2
// elements in a texel, as drawn methods read their operands.
// Defines: those of include/cells.glsl; INTEGER if NUMBER is int. Cells of four elements are of floats.
// Input: matrix. Output: the cells.
// Source: the packings of Fatahalian, Sugerman and Hanrahan 2004.
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
