// How many numbers of each block of 64 have each class: an entry for each class and block, by classes and then by blocks.
//
// Defines: FRESH for the first panel. Inputs: those of include/packed_classes.glsl; entries, their number; blocks, of all panels; panel, the
// first block of this one and their number; shift_of_target; old, the counts of other panels. Output: counts, with zeros behind the entries.
// Source: Satish, Harris and Garland, "Designing Efficient Sorting Algorithms for Manycore GPUs" (2009), whose scattered writes are
// searches here.
#include "include/packed_classes.glsl"
uniform uint entries, blocks;
uniform uvec2 panel;
uniform int shift_of_target;
#ifndef FRESH
uniform usampler2D old;
#endif
out uvec4 counts;

uint count_of(uint own, int block) {
    uvec4 sums = number_of(members_of(2 * block, own)) + number_of(members_of(2 * block + 1, own));
    return sums.x + sums.y + sums.z + sums.w;
}

void main() {
#ifdef FRESH
    uvec4 four = uvec4(0u);
#else
    uvec4 four = READ(old, TEXEL);
#endif
    uint entry = 4u * uint((TEXEL.y << shift_of_target) + TEXEL.x);
    for (int lane = 0; lane < 4; lane++, entry++) {
        // What stands before the panel's first block wraps around, and is no block of it either.
        uint block = entry % blocks - panel.x;
        if (entry < entries && block < panel.y) {
            four[lane] = count_of(entry / blocks, int(block));
        }
    }
    counts = four;
}
