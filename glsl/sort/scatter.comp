// The keys of the part of each work group, each to its place by a digit; keys of one digit stay in their order.
//
// A tile is sorted in shared memory by the digit's lower four bits and then by its upper four. For each of these an invocation counts
// its own keys, the counts of all are scanned, and each key goes to the place that its count has come to. What has one digit then stands
// together, and is written to where the keys of the digit before it end.
//
// Defines: those of include/sort_tile.glsl; SIDE, of include/scan_group.glsl; VALUES if values move with the keys. Inputs: those of
// include/sort_tile.glsl; Values; Places, the exclusive scan of the counts. Outputs: SortedKeys, and with VALUES SortedValues.
// Source: Satish, Harris and Garland, "Designing Efficient Sorting Algorithms for Manycore GPUs" (2009).
layout(local_size_x = GROUP) in;
#include "include/sort_tile.glsl"
#define NUMBER_UINT 1
#define JOIN_SUM
#include "include/scan.glsl"
#include "include/scan_group.glsl"
layout(std430, binding = 1) readonly buffer Places { uint places[]; };
layout(std430, binding = 2) writeonly buffer SortedKeys { uint sorted_keys[]; };
#ifdef VALUES
layout(std430, binding = 3) readonly buffer Values { uvec4 values[]; };
layout(std430, binding = 4) writeonly buffer SortedValues { uint sorted_values[]; };
shared uint tile_values[TILE];
uint own_values[PER];
#endif
shared uint tile_keys[TILE];
// Two counts of 16 bits in one: of a digit below 8 and of the one that is 8 above it.
shared uint counts[8 * GROUP];
shared uint next_place[DIGITS];
shared int start_of[DIGITS];
uint own_keys[PER];

// Reads the keys of this invocation, which follow each other.
void read(int first) {
    int texel = first / 4 + int(gl_LocalInvocationIndex) * (PER / 4);
    for (int k = 0; k < PER / 4; k++) {
        uvec4 four = keys_at(texel + k);
        own_keys[4 * k] = four.x;
        own_keys[4 * k + 1] = four.y;
        own_keys[4 * k + 2] = four.z;
        own_keys[4 * k + 3] = four.w;
#ifdef VALUES
        uvec4 four_values = uvec4(0u);
        if (4 * (texel + k) < count) {
            four_values = values[texel + k];
        }
        own_values[4 * k] = four_values.x;
        own_values[4 * k + 1] = four_values.y;
        own_values[4 * k + 2] = four_values.z;
        own_values[4 * k + 3] = four_values.w;
#endif
    }
}

// Takes them back from the tile.
void take() {
    int first = int(gl_LocalInvocationIndex) * PER;
    for (int k = 0; k < PER; k++) {
        own_keys[k] = tile_keys[first + k];
#ifdef VALUES
        own_values[k] = tile_values[first + k];
#endif
    }
}

// Puts the keys into the tile, sorted by four bits of the digit.
void sort_by(int from) {
    int own = int(gl_LocalInvocationIndex);
    for (int digit = 0; digit < 8; digit++) {
        counts[digit * GROUP + own] = 0u;
    }
    for (int k = 0; k < PER; k++) {
        uint digit = (digit_of(own_keys[k]) >> from) & 15u;
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
        uint digit = (digit_of(own_keys[k]) >> from) & 15u;
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

// Finds where each digit starts in the sorted tile.
void find_starts() {
    for (int at = int(gl_LocalInvocationIndex); at < TILE; at += GROUP) {
        uint digit = digit_of(tile_keys[at]);
        if (at == 0 || digit_of(tile_keys[at - 1]) != digit) {
            start_of[digit] = at;
        }
    }
    barrier();
}

void write(int filled) {
    for (int at = int(gl_LocalInvocationIndex); at < filled; at += GROUP) {
        uint key = tile_keys[at];
        uint digit = digit_of(key);
        uint place = next_place[digit] + uint(at - start_of[digit]);
        sorted_keys[place] = key;
#ifdef VALUES
        sorted_values[place] = tile_values[at];
#endif
    }
    barrier();
}

// The places behind what was written.
void go_on(int filled) {
    for (int at = int(gl_LocalInvocationIndex); at < filled; at += GROUP) {
        uint digit = digit_of(tile_keys[at]);
        if (at == filled - 1 || digit_of(tile_keys[at + 1]) != digit) {
            next_place[digit] += uint(at + 1 - start_of[digit]);
        }
    }
    barrier();
}

void main() {
    for (int digit = int(gl_LocalInvocationIndex); digit < DIGITS; digit += GROUP) {
        next_place[digit] = places[digit * int(gl_NumWorkGroups.x) + int(gl_WorkGroupID.x)];
    }
    for (int tile = 0; tile < tiles; tile++) {
        int first = first_of(tile);
        if (first >= count) {
            break;
        }
        read(first);
        sort_by(0);
        if (mask > 15u) {
            take();
            sort_by(4);
        }
        int filled = min(TILE, count - first);
        find_starts();
        write(filled);
        go_on(filled);
    }
}
