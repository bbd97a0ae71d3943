// The numbers of one panel by their classes, each class in its order, as far as they belong into one panel of the result.
//
// An entry is a class and a block of 64 numbers, and starts says where in the result its numbers begin. A place of the result searches
// by halves for the last entry that begins at it or before, and finds its number and those of the next places among the classes of the
// block; where the block ends, the search goes on from there.
//
// Defines: FRESH for the first pass over a panel of the result; VALUES if values move with the numbers. Inputs: those of
// include/packed_classes.glsl and include/starts.glsl; bounds, the entry of every 64th place, and shift_of_bounds; numbers, and shift, the
// exponent of a row's length; blocks and panel as in counts.frag; first, the place of the target's first number, and end, behind the last of
// the result; shift_of_target; old, the target before this pass; values and old_values. Outputs: result, and moved_values.
// Source: Horn, "Stream Reduction Operations for GPGPU Applications", GPU Gems 2 (2005).
#include "include/number.glsl"
#include "include/number_target.glsl"
#include "include/packed_classes.glsl"
#include "include/starts.glsl"
uniform SAMPLER numbers;
uniform usampler2D bounds;
uniform uint blocks, first, end;
uniform uvec2 panel;
uniform int shift, shift_of_bounds, shift_of_target;
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

uint bound_of(uint index) {
    int texel = int(index >> 2);
    return READ(bounds, ivec2(texel & ((1 << shift_of_bounds) - 1), texel >> shift_of_bounds))[index & 3u];
}

// The entry of a place behind those of an entry: mostly the next one that is not empty.
uint next_entry(uint place, uint entry, uint behind) {
    for (uint reach = 1u; entry + reach < behind; reach <<= 2) {
        if (start_of(entry + reach) > place) {
            return entry_of(place, entry, entry + reach);
        }
        entry += reach;
    }
    return entry_of(place, entry, behind);
}

// Which of the eight numbers of a word the lowest bit of its members is for: the exponent of that bit as a float.
int lowest_of(uint members) { return ((floatBitsToInt(float(members & (~members + 1u))) >> 23) - 127) >> 2; }

// Which numbers of the panel belong at this place and at the next ones, as many as are wanted: -1 for those of other panels.
ivec4 found_from(uint place, int wanted) {
    ivec4 found = ivec4(-1);
    uint entry = bound_of(place >> 6);
    uint behind = bound_of((place >> 6) + 1u) + 1u;
    entry = entry_of(place, entry, behind);
    // Places of the entry before this one; those of the next entries begin with their first.
    uint skipped = place - start_of(entry);
    int lane = 0;
    // Each search finds a number or another panel's: four are enough.
    for (int search = 0; search < 4 && lane < wanted; search++) {
        if (search > 0) {
            entry = next_entry(place + uint(lane), entry, behind);
            skipped = 0u;
        }
        uint block = entry % blocks - panel.x;
        if (block >= panel.y) {
            lane++;
            continue;
        }
        int end_of_block = 2 * int(block) + 2;
        for (int texel = 2 * int(block); texel < end_of_block && lane < wanted; texel++) {
            uvec4 members = members_of(texel, entry / blocks);
            uvec4 number = number_of(members);
            for (int k = 0; k < 4; k++) {
                uint rest = members[k];
                if (skipped >= number[k]) {
                    skipped -= number[k];
                    continue;
                }
                for (; skipped > 0u; skipped--) {
                    rest &= rest - 1u;
                }
                for (; rest != 0u && lane < wanted; lane++) {
                    found[lane] = 32 * texel + 8 * k + lowest_of(rest);
                    rest &= rest - 1u;
                }
            }
        }
    }
    return found;
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
    if (place < end) {
        ivec4 found = found_from(place, int(min(end - place, 4u)));
        for (int lane = 0; lane < 4; lane++) {
            if (found[lane] >= 0) {
                ivec2 at = ivec2((found[lane] >> 2) & ((1 << shift) - 1), found[lane] >> (2 + shift));
                four[lane] = READ(numbers, at)[found[lane] & 3];
#ifdef VALUES
                four_values[lane] = READ(values, at)[found[lane] & 3];
#endif
            }
        }
    }
    result = four;
#ifdef VALUES
    moved_values = four_values;
#endif
}
