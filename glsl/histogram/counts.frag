// How many numbers of a panel of sorted bins are in each, added to those of the panels before.
// Defines: FRESH for the first panel. Inputs: those of include/sorted_bins.glsl; range, the first bin of the target and the one behind its last; shift_of_target; old, the counts before.
// Output: counts, with zeros in the padding.
#include "include/sorted_bins.glsl"
uniform uvec2 range;
uniform int shift_of_target;
#ifndef FRESH
uniform usampler2D old;
#endif
out uvec4 counts;

void main() {
#ifdef FRESH
    uvec4 four = uvec4(0u);
#else
    uvec4 four = READ(old, TEXEL);
#endif
    uint bin = range.x + 4u * uint((TEXEL.y << shift_of_target) + TEXEL.x);
    if (bin < range.y) {
        int from = first_from(bin);
        for (int lane = 0; lane < 4 && bin < range.y; lane++, bin++) {
            int next = first_from(bin + 1u);
            four[lane] += uint(next - from);
            from = next;
        }
    }
    counts = four;
}
