// The keys of the part of each work group, each to its place by a digit; keys of one digit stay in their order.
//
// A tile is sorted in shared memory by the digit's lower four bits and then by its upper four. For each of these an invocation counts
// its own keys, the counts of all are scanned, and each key goes to the place that its count has come to. What has one digit then stands
// together, and is written to where the keys of the digit before it end.
//
// Defines: those of include/sort_tile.glsl; VALUES if values move with the keys; LAST if the result has numbers again, and not keys.
// Inputs: those of include/sort_tile.glsl; Values; Places, the exclusive scan of the counts. Outputs: SortedKeys, and with VALUES
// SortedValues.
// Source: Satish, Harris and Garland, "Designing Efficient Sorting Algorithms for Manycore GPUs" (2009).
layout(local_size_x = GROUP) in;
#define NUMBER_OF_COUNTS (8 * GROUP)
#include "include/sort_tile.glsl"
#undef NUMBER_FLOAT
#undef NUMBER_INT
#undef NUMBER_UINT
#define NUMBER_UINT 1
#define JOIN_SUM
#include "include/scan.glsl"
#include "include/scan_group.glsl"
layout(std430, binding = 1) readonly buffer Places { uint places[]; };
layout(std430, binding = 2) writeonly buffer SortedKeys { uint sorted_keys[]; };
#ifdef VALUES
layout(std430, binding = 3) readonly buffer Values { uint values[]; };
layout(std430, binding = 4) writeonly buffer SortedValues { uint sorted_values[]; };
shared uint tile_values[TILE];
#endif
shared uint tile_keys[TILE];
// Two counts of 16 bits in one: of a digit below 8 and of the one that is 8 above it.
shared uint counts[NUMBER_OF_COUNTS];
shared uint next_place[DIGITS];
shared int start_of[DIGITS];

uint value_at(int index) {
#ifdef VALUES
    return index < count ? values[index] : 0u;
#else
    return 0u;
#endif
}

// Sorts the tile in shared memory by four bits.
void sort_by(int from) {
    int own = int(gl_LocalInvocationIndex);
    for (int digit = 0; digit < 8; digit++) {
        counts[digit * GROUP + own] = 0u;
    }
    uint own_keys[PER];
    uint own_values[PER];
    for (int k = 0; k < PER; k++) {
        own_keys[k] = tile_keys[own * PER + k];
#ifdef VALUES
        own_values[k] = tile_values[own * PER + k];
#endif
        uint digit = (own_keys[k] >> from) & 15u;
        counts[int(digit & 7u) * GROUP + own] += 1u << (16u * (digit >> 3));
    }
    barrier();
    uint of_own = 0u;
    for (int k = 0; k < 8; k++) {
        of_own += counts[8 * own + k];
    }
    uint of_group;
    uint before = scan_of_group(of_own, of_group);
    // Digits from 8 on stand behind all those below.
    before += of_group << 16;
    for (int k = 0; k < 8; k++) {
        uint here = counts[8 * own + k];
        counts[8 * own + k] = before;
        before += here;
    }
    barrier();
    for (int k = 0; k < PER; k++) {
        uint digit = (own_keys[k] >> from) & 15u;
        uint upper = 16u * (digit >> 3);
        int at = int(digit & 7u) * GROUP + own;
        uint place = (counts[at] >> upper) & 0xffffu;
        counts[at] += 1u << upper;
        tile_keys[place] = own_keys[k];
#ifdef VALUES
        tile_values[place] = own_values[k];
#endif
    }
    barrier();
}

void main() {
    int own = int(gl_LocalInvocationIndex);
    for (int digit = own; digit < DIGITS; digit += GROUP) {
        next_place[digit] = places[digit * int(gl_NumWorkGroups.x) + int(gl_WorkGroupID.x)];
    }
    for (int tile = 0; tile < tiles; tile++) {
        int first = first_of(tile);
        if (first >= count) {
            break;
        }
        for (int at = own; at < TILE; at += GROUP) {
            tile_keys[at] = key_at(first + at);
#ifdef VALUES
            tile_values[at] = value_at(first + at);
#endif
        }
        barrier();
        sort_by(shift);
        sort_by(shift + 4);
        for (int at = own; at < TILE; at += GROUP) {
            int digit = digit_of(tile_keys[at]);
            if (at == 0 || digit_of(tile_keys[at - 1]) != digit) {
                start_of[digit] = at;
            }
        }
        barrier();
        int filled = min(TILE, count - first);
        for (int at = own; at < filled; at += GROUP) {
            uint key = tile_keys[at];
            int digit = digit_of(key);
            uint place = next_place[digit] + uint(at - start_of[digit]);
#ifdef LAST
            sorted_keys[place] = bits_of(key);
#else
            sorted_keys[place] = key;
#endif
#ifdef VALUES
            sorted_values[place] = tile_values[at];
#endif
        }
        barrier();
        for (int at = own; at < filled; at += GROUP) {
            int digit = digit_of(tile_keys[at]);
            if (at == filled - 1 || digit_of(tile_keys[at + 1]) != digit) {
                next_place[digit] += uint(at + 1 - start_of[digit]);
            }
        }
        barrier();
    }
}
