// A scan of numbers in blocks of 16, given what stands before each block.
//
// Defines: those of include/scan.glsl and include/scan_prefixes.glsl. Inputs: theirs; before, the exclusive scan of the blocks'
// totals, and shift_of_before, the exponent of its rows' length. Output: result, the prefixes.
#include "include/scan.glsl"
#include "include/number_target.glsl"
#include "include/scan_texels.glsl"
#include "include/scan_prefixes.glsl"
uniform SAMPLER before;
uniform int shift_of_before;

void main() {
    int index = (TEXEL.y << shift) + TEXEL.x;
    int block = index >> 2;
    int texel = block >> 2;
    FOUR four = READ(before, ivec2(texel & ((1 << shift_of_before) - 1), texel >> shift_of_before));
    Item running = ITEM(four[block & 3], false);
    for (int other = 4 * block; other < index; other++) {
        running = join(running, total_of(items_of(other)));
    }
    result = prefixes_of(running, items_of(index), index);
}
