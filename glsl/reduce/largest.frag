// One stage of a search for the number of the largest magnitude: texels that are `stride` apart into one.
// Defines: FROM_PARTS in all stages but the first. Inputs: x; stride, the extent of the target. Output: bits and index.
// Source: the access of reduce/fold.frag.
#include "include/largest.glsl"
uniform ivec2 stride;
out uvec4 part;

void main() {
    ivec2 size = textureSize(x, 0);
    uvec2 found = part_at(TEXEL);
    for (int row = TEXEL.y; row < size.y; row += stride.y) {
        for (int column = TEXEL.x; column < size.x; column += stride.x) {
            found = larger(found, part_at(ivec2(column, row)));
        }
    }
    part = uvec4(found, 0u, 0u);
}
