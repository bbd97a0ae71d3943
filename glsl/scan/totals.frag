// A level of a scan: the totals of blocks of 16 numbers, four blocks to a texel.
//
// Defines: those of include/scan.glsl. Inputs: those of include/scan_texels.glsl; shift_of_totals, the exponent of a row's length
// of the target. Outputs: result, the totals, and with SEGMENTED has_starts, 1 where a segment starts in a block.
// Source: Horn, "Stream Reduction Operations for GPGPU Applications", GPU Gems 2 (2005); Sengupta, Lefohn and Owens, "A
// Work-Efficient Step-Efficient Prefix Sum Algorithm" (2006).
#include "include/scan.glsl"
#include "include/number_target.glsl"
#include "include/scan_texels.glsl"
uniform int shift_of_totals;
#ifdef SEGMENTED
layout(location = 1) out uvec4 has_starts;
#endif

Item total_of_block(int block) {
    int first = 4 * block;
    Item left = join(total_of(items_of(first)), total_of(items_of(first + 1)));
    return join(left, join(total_of(items_of(first + 2)), total_of(items_of(first + 3))));
}

void main() {
    int first = 4 * ((TEXEL.y << shift_of_totals) + TEXEL.x);
    Item a = total_of_block(first);
    Item b = total_of_block(first + 1);
    Item c = total_of_block(first + 2);
    Item d = total_of_block(first + 3);
    result = FOUR(NUMBER_OF(a), NUMBER_OF(b), NUMBER_OF(c), NUMBER_OF(d));
#ifdef SEGMENTED
    has_starts = uvec4(STARTS(a), STARTS(b), STARTS(c), STARTS(d));
#endif
}
