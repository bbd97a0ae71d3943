// The keys of the part of each work group, each to its place by a digit; keys of one digit stay in their order.
//
// A tile is sorted in shared memory by the digit's lower four bits and then by its upper four. For each of these an invocation counts
// its own items, which stand together, the counts of all are scanned, and each item goes to the place that its count has come to. What
// has one digit then stands together, and is written to where the keys of the digit before it end. Alone, keys are sorted themselves;
// with VALUES what is sorted are digits with the places in the tile that keys and values are to be taken from.
//
// Defines: those of include/sort_tile.glsl; SIDE, of include/scan_group.glsl; KEYS if keys are written; VALUES if values move with the
// keys; PLACES if these are the places of the keys. Inputs: those of include/sort_tile.glsl; Keys; Places, the exclusive scan of the counts;
// Values, with VALUES and without PLACES. Outputs: SortedKeys with KEYS, and SortedValues with VALUES.
// Source: Satish, Harris and Garland, "Designing Efficient Sorting Algorithms for Manycore GPUs" (2009); Merrill and Grimshaw,
// "High Performance and Scalable Radix Sorting" (2011).
#pragma optionNV(unroll all)
layout(local_size_x = GROUP) in;
#include "include/sort_tile.glsl"
#define NUMBER_UINT 1
#define JOIN_SUM
#include "include/scan.glsl"
#include "include/scan_group.glsl"
layout(std430, binding = 0) readonly buffer Keys { uint keys[]; };
layout(std430, binding = 1) readonly buffer Places { uint places[]; };
#ifdef KEYS
layout(std430, binding = 2) writeonly buffer SortedKeys { uint sorted_keys[]; };
#endif
shared uint tile_keys[TILE];
#ifdef VALUES
#ifndef PLACES
layout(std430, binding = 3) readonly buffer Values { uint values[]; };
#endif
layout(std430, binding = 4) writeonly buffer SortedValues { uint sorted_values[]; };
shared uint tile_items[TILE];
#define SORTED tile_items
#define DIGIT(item) ((item) & 0xffu)
#else
#define SORTED tile_keys
#define DIGIT(item) digit_of(item)
#endif
// Two counts of 16 bits in one: of a digit below 8 and of the one that is 8 above it. Every 32nd place is empty: else all that invocations
// read at a time would be in a few banks of shared memory.
#define PADDED(at) ((at) + ((at) >> 5))
shared uint counts[PADDED(8 * GROUP)];
// Where the keys of each digit go, less their place in the sorted tile.
shared uint base[DIGITS];
uint own_items[PER];
uint own_ranks[PER];

#define OWN int(gl_LocalInvocationIndex)

// Reads the keys of a tile, and takes the items of this invocation, which stand together. What stands behind the last key sorts behind it,
// since no key is greater and its place is later.
void load(int first) {
    for (int k = 0; k < PER; k++) {
        int at = first + OWN + k * GROUP;
        own_items[k] = at < count ? keys[at] : 0xffffffffu;
    }
    for (int k = 0; k < PER; k++) {
        tile_keys[OWN + k * GROUP] = own_items[k];
    }
    barrier();
    for (int k = 0; k < PER; k++) {
        int at = OWN * PER + k;
#ifdef VALUES
        own_items[k] = digit_of(tile_keys[at]) | uint(at) << 8;
#else
        own_items[k] = tile_keys[at];
#endif
    }
}

// Puts the items into the tile, sorted by four bits of the digit.
void sort_by(int from) {
    for (int k = 0; k < 8; k++) {
        counts[PADDED(k * GROUP + OWN)] = 0u;
    }
    for (int k = 0; k < PER; k++) {
        uint digit = (DIGIT(own_items[k]) >> from) & 15u;
        uint upper = (digit & 8u) << 1;
        int at = PADDED(int(digit & 7u) * GROUP + OWN);
        own_ranks[k] = (counts[at] >> upper) & 0xffffu;
        counts[at] += 1u << upper;
    }
    barrier();
    uint sum = 0u;
    for (int k = 0; k < 8; k++) {
        sum += counts[PADDED(8 * OWN + k)];
    }
    uint of_group;
    uint before = scan_of_group(sum, of_group);
    // Digits from 8 on stand behind all those below.
    before += of_group << 16;
    for (int k = 0; k < 8; k++) {
        uint here = counts[PADDED(8 * OWN + k)];
        counts[PADDED(8 * OWN + k)] = before;
        before += here;
    }
    barrier();
    for (int k = 0; k < PER; k++) {
        uint digit = (DIGIT(own_items[k]) >> from) & 15u;
        uint start = counts[PADDED(int(digit & 7u) * GROUP + OWN)] >> ((digit & 8u) << 1);
        SORTED[(start & 0xffffu) + own_ranks[k]] = own_items[k];
    }
    barrier();
}

// Puts the items into the tile, sorted.
void sort_tile() {
    sort_by(0);
    if (mask > 15u) {
        for (int k = 0; k < PER; k++) {
            own_items[k] = SORTED[OWN * PER + k];
        }
        sort_by(4);
    }
}

bool begins(int at, uint digit) { return at == 0 || DIGIT(SORTED[at - 1]) != digit; }

// Takes the items of this invocation from the sorted tile, in which neighbours stand side by side, and finds where their digits begin.
void find_places() {
    for (int k = 0; k < PER; k++) {
        int at = OWN + k * GROUP;
        own_items[k] = SORTED[at];
        uint digit = DIGIT(own_items[k]);
        if (begins(at, digit)) {
            base[digit] -= uint(at);
        }
    }
    barrier();
    for (int k = 0; k < PER; k++) {
        own_ranks[k] = base[DIGIT(own_items[k])] + uint(OWN + k * GROUP);
    }
    barrier();
    // The digits of the next tile go behind these.
    for (int k = 0; k < PER; k++) {
        int at = OWN + k * GROUP;
        uint digit = DIGIT(own_items[k]);
        if (begins(at, digit) && at > 0) {
            base[DIGIT(SORTED[at - 1])] += uint(at);
        }
        if (at == TILE - 1) {
            base[digit] += uint(TILE);
        }
    }
}

// Writes the items of a tile to their places.
void write(int first) {
    int filled = min(TILE, count - first);
    for (int k = 0; k < PER; k++) {
        if (OWN + k * GROUP < filled) {
#ifdef VALUES
            uint origin = own_items[k] >> 8;
#ifdef KEYS
            sorted_keys[own_ranks[k]] = tile_keys[origin];
#endif
#ifdef PLACES
            sorted_values[own_ranks[k]] = uint(first) + origin;
#else
            sorted_values[own_ranks[k]] = values[uint(first) + origin];
#endif
#else
            sorted_keys[own_ranks[k]] = own_items[k];
#endif
        }
    }
    barrier();
}

void main() {
    for (int digit = OWN; digit < DIGITS; digit += GROUP) {
        base[digit] = places[digit * int(gl_NumWorkGroups.x) + int(gl_WorkGroupID.x)];
    }
    for (int tile = 0; tile < tiles; tile++) {
        int first = first_of(tile);
        if (first >= count) {
            break;
        }
        load(first);
        sort_tile();
        find_places();
        write(first);
    }
}
