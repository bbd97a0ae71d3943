// The numbers of one panel by their classes, each class in its order, as far as they belong into one panel of the result.
//
// An entry is a class and a block of 64 numbers, and starts says where in the result its numbers begin. A place of the result searches
// by halves for the last entry that begins at it or before, and walks through the block to its number and to those of the next places; where the
// block ends, the search goes on from there.
//
// Defines: those of include/classes.glsl; FRESH for the first pass over a panel of the result; VALUES if values move with the numbers.
// Inputs: those of include/classes.glsl; starts, the exclusive scan of the counts, and shift_of_starts; entries, blocks and panel as in
// counts.frag; first, the place of the target's first number, and end, behind the last of the result; shift_of_target; old, the target before
// this pass; values and old_values. Outputs: result, and moved_values.
// Source: Horn, "Stream Reduction Operations for GPGPU Applications", GPU Gems 2 (2005).
#include "include/number.glsl"
#include "include/number_target.glsl"
#include "include/classes.glsl"
uniform usampler2D starts;
uniform uint entries, blocks, first, end;
uniform uvec2 panel;
uniform int shift_of_starts, shift_of_target;
#ifndef FRESH
uniform SAMPLER old;
#endif
#ifdef VALUES
uniform usampler2D values;
layout(location = 1) out uvec4 moved_values;
#ifndef FRESH
uniform usampler2D old_values;
#endif
#endif

uint start_of(uint entry) {
    int texel = int(entry >> 2);
    return READ(starts, ivec2(texel & ((1 << shift_of_starts) - 1), texel >> shift_of_starts))[entry & 3u];
}

// The last entry from `low` on that begins at the place or before it. Close ones are tried first: the next places are mostly there.
uint entry_of(uint place, uint low, bool is_near) {
    uint high = entries;
    for (uint reach = 1u; is_near && low + reach < entries; reach <<= 2) {
        if (start_of(low + reach) > place) {
            high = low + reach;
            break;
        }
        low += reach;
    }
    while (high - low > 1u) {
        uint middle = (low + high) >> 1;
        if (start_of(middle) <= place) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

void main() {
#ifdef FRESH
    FOUR four = FOUR(0);
    uvec4 four_values = uvec4(0u);
#else
    FOUR four = READ(old, TEXEL);
#ifdef VALUES
    uvec4 four_values = READ(old_values, TEXEL);
#endif
#endif
    uint place = first + 4u * uint((TEXEL.y << shift_of_target) + TEXEL.x);
    int wanted = place < end ? int(min(end - place, 4u)) : 0;
    int lane = 0;
    uint entry = 0u;
    // Each search finds a number or another panel's: four are enough.
    for (int search = 0; search < 4 && lane < wanted; search++) {
        entry = entry_of(place + uint(lane), entry, search > 0);
        uint own = entry / blocks;
        uint block = entry % blocks - panel.x;
        if (block >= panel.y) {
            lane++;
            continue;
        }
        uint skipped = place + uint(lane) - start_of(entry);
        int from = 16 * int(block);
        for (int index = from; index < from + 16 && lane < wanted; index++) {
            FOUR here = READ(numbers, place_of(index));
            uvec4 classes_here = classes_of(here, index);
            for (int k = 0; k < 4; k++) {
                if (classes_here[k] != own || lane >= wanted) {
                    continue;
                }
                if (skipped > 0u) {
                    skipped--;
                    continue;
                }
                four[lane] = here[k];
#ifdef VALUES
                four_values[lane] = READ(values, place_of(index))[k];
#endif
                lane++;
            }
        }
    }
    result = four;
#ifdef VALUES
    moved_values = four_values;
#endif
}
