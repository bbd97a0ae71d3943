// The keys of the part of each work group, each to its place by a digit; keys of one digit stay in their order.
//
// A tile is sorted in shared memory. It has a part for each line of invocations, which goes through it, a key for each of them at a time.
// For every digit a line has the number of keys that it has met, and a word of votes, in which each invocation sets a bit if its key has the
// digit. A key's rank in its line is that number and the votes below its own. The numbers are scanned, by digits and then by lines, and each
// key goes to where its line's keys of its digit start, and by its rank behind that. What has one digit then stands together, and is
// written to where the keys of the digit before it end. Values go the same way, in the same memory, after the keys.
//
// Defines: those of include/sort_tile.glsl, of which GROUP divides 256; SIDE, of include/scan_group.glsl; KEYS if keys are written; VALUES if
// values move with the keys; PLACES if these are the keys' places. Inputs: those of include/sort_tile.glsl; Keys; Places, the exclusive
// scan of the counts; Values, with VALUES and without PLACES. Outputs: SortedKeys with KEYS, and SortedValues with VALUES.
// Source: Satish, Harris and Garland, "Designing Efficient Sorting Algorithms for Manycore GPUs" (2009); Ashkiani, Davidson, Meyer and Owens,
// "GPU Multisplit" (2016), whose ballots are words in shared memory here.
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
#ifdef VALUES
#ifndef PLACES
layout(std430, binding = 3) readonly buffer Values { uint values[]; };
#endif
layout(std430, binding = 4) writeonly buffer SortedValues { uint sorted_values[]; };
#endif
#define OWN int(gl_LocalInvocationIndex)
// The invocations of a line, each of which has a bit of a word, and the lines of a group.
#define LANES (GROUP < 32 ? GROUP : 32)
#define LINES (GROUP / LANES)
#define LINE (OWN / LANES)
// The digits that an invocation scans.
#define EACH (DIGITS / GROUP)
// The votes, of one step while those of the next are counted; then the sorted tile.
shared uint sorted[TILE];
#define VOTES(step, at) sorted[((step) & 1) * LINES * DIGITS + (at)]
// How many keys of each line and digit there are, and then where they start in the sorted tile.
shared uint counts[LINES * DIGITS];
// Where the keys of each digit go, less their place in the sorted tile.
shared uint base[DIGITS];
uint own_keys[PER];
uint own_ranks[PER];
uint next_places[EACH];
#ifdef VALUES
uint own_values[PER];
#endif

// The place of a key's line and digit.
int entry_of(uint key) { return LINE * DIGITS + int(digit_of(key)); }

// Reads keys and values. What stands behind the last key sorts behind it, since no key is greater and its place is later.
void load(int first) {
    int own_first = first + LINE * LANES * PER + OWN % LANES;
    for (int k = 0; k < PER; k++) {
        int place = own_first + LANES * k;
        own_keys[k] = place < count ? keys[place] : 0xffffffffu;
    }
#ifdef VALUES
    for (int k = 0; k < PER; k++) {
        int place = own_first + LANES * k;
#ifdef PLACES
        own_values[k] = uint(place);
#else
        own_values[k] = place < count ? values[place] : 0u;
#endif
    }
#endif
    for (int at = OWN; at < LINES * DIGITS; at += GROUP) {
        counts[at] = 0u;
        VOTES(0, at) = 0u;
        VOTES(1, at) = 0u;
    }
    barrier();
}

// Finds the rank of each key among the keys of its line that have its digit.
void rank() {
    uint own_vote = 1u << (OWN % LANES);
    for (int k = 0; k < PER; k++) {
        int at = entry_of(own_keys[k]);
        atomicOr(VOTES(k, at), own_vote);
        barrier();
        uint votes = VOTES(k, at);
        uint counted = counts[at];
        uint before = uint(bitCount(votes & (own_vote - 1u)));
        own_ranks[k] = counted + before;
        barrier();
        // The first of those with this digit counts them all.
        if (before == 0u) {
            counts[at] = counted + uint(bitCount(votes));
            VOTES(k, at) = 0u;
        }
    }
    barrier();
}

// Finds where the keys of each line and digit start in the sorted tile, and where those of each digit go.
void find_starts() {
    // Those of its digits that an invocation has met before each line and digit.
    uint before[EACH * LINES + 1];
    before[0] = 0u;
    for (int k = 0; k < EACH * LINES; k++) {
        before[k + 1] = before[k] + counts[(k % LINES) * DIGITS + OWN * EACH + k / LINES];
    }
    uint of_group;
    uint start = scan_of_group(before[EACH * LINES], of_group);
    for (int k = 0; k < EACH * LINES; k++) {
        counts[(k % LINES) * DIGITS + OWN * EACH + k / LINES] = start + before[k];
    }
    for (int k = 0; k < EACH; k++) {
        base[OWN * EACH + k] = next_places[k] - start - before[k * LINES];
        next_places[k] += before[(k + 1) * LINES] - before[k * LINES];
    }
    barrier();
}

// Writes the keys of a tile; with VALUES own_keys then has the places that were written to.
void write_keys(int filled) {
    for (int k = 0; k < PER; k++) {
        own_ranks[k] += counts[entry_of(own_keys[k])];
        sorted[own_ranks[k]] = own_keys[k];
    }
    barrier();
    for (int k = 0; k < PER; k++) {
        int at = OWN + k * GROUP;
        uint key = sorted[at];
        uint place = base[digit_of(key)] + uint(at);
#ifdef KEYS
        if (at < filled) {
            sorted_keys[place] = key;
        }
#endif
#ifdef VALUES
        own_keys[k] = place;
#endif
    }
    barrier();
}

#ifdef VALUES
void write_values(int filled) {
    for (int k = 0; k < PER; k++) {
        sorted[own_ranks[k]] = own_values[k];
    }
    barrier();
    for (int k = 0; k < PER; k++) {
        int at = OWN + k * GROUP;
        if (at < filled) {
            sorted_values[own_keys[k]] = sorted[at];
        }
    }
    barrier();
}
#endif

void main() {
    for (int k = 0; k < EACH; k++) {
        next_places[k] = places[(OWN * EACH + k) * int(gl_NumWorkGroups.x) + int(gl_WorkGroupID.x)];
    }
    for (int tile = 0; tile < tiles; tile++) {
        int first = first_of(tile);
        if (first >= count) {
            break;
        }
        int filled = min(TILE, count - first);
        load(first);
        rank();
        find_starts();
        write_keys(filled);
#ifdef VALUES
        write_values(filled);
#endif
    }
}
