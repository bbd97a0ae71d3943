// How many numbers of each block of 64 have each class: an entry for each class and block, by classes and then by blocks.
//
// Defines: those of include/classes.glsl; FRESH for the first panel. Inputs: those of include/classes.glsl; entries, their number;
// blocks, of all panels; panel, the first block of this one and their number; shift_of_target; old, the counts of other panels. Output:
// counts, with zeros behind the entries.
// Source: Satish, Harris and Garland, "Designing Efficient Sorting Algorithms for Manycore GPUs" (2009), whose scattered writes are
// searches here.
#include "include/number.glsl"
#include "include/classes.glsl"
uniform uint entries, blocks;
uniform uvec2 panel;
uniform int shift_of_target;
#ifndef FRESH
uniform usampler2D old;
#endif
out uvec4 counts;

uint count_of(uint wanted, uint block) {
    uint count = 0u;
    int first = 16 * int(block);
    for (int index = first; index < first + 16 && 4 * index < length_of_panel; index++) {
        uvec4 here = classes_of(READ(numbers, place_of(index)), index);
        count += uint(here.x == wanted) + uint(here.y == wanted) + uint(here.z == wanted) + uint(here.w == wanted);
    }
    return count;
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
            four[lane] = count_of(entry / blocks, block);
        }
    }
    counts = four;
}
