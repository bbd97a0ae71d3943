// What scatter.comp does, on devices whose subgroups vote: 32 invocations find at once which of their keys are equal in the digit.
//
// A subgroup has PER keys of each invocation, 32 that follow each other at a time. A key's rank among those of its digit is how many the
// subgroup has counted before, and how many stand before it in this vote. The counts of the subgroups are added up and scanned over the digits,
// each key goes to its place in the tile, and the tile is written digit by digit.
//
// Defines: those of include/sort_tile.glsl, of which GROUP is at least 256; SIDE, of include/scan_group.glsl; VALUES if values move with the
// keys. Inputs: those of include/sort_tile.glsl; Values; Places, the exclusive scan of the counts. Outputs: SortedKeys, and with VALUES SortedValues.
// Source: Adinets and Merrill, "Onesweep: A Faster Least Significant Digit Radix Sort for GPUs" (2022), for the votes.
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
layout(local_size_x = GROUP) in;
#include "include/sort_tile.glsl"
#define NUMBER_UINT 1
#define JOIN_SUM
#include "include/scan.glsl"
#include "include/scan_group.glsl"
#define SUBGROUPS (GROUP / 32)
layout(std430, binding = 1) readonly buffer Places { uint places[]; };
layout(std430, binding = 2) writeonly buffer SortedKeys { uint sorted_keys[]; };
#ifdef VALUES
layout(std430, binding = 3) readonly buffer Values { uvec4 values[]; };
layout(std430, binding = 4) writeonly buffer SortedValues { uint sorted_values[]; };
shared uint tile_values[TILE];
uint own_values[PER];
#endif
shared uint tile_keys[TILE];
// How many keys of each digit a subgroup has counted, and then where they start in the tile.
shared uint counts[SUBGROUPS * DIGITS];
// The place of a digit's first key in the result, less that in the tile.
shared uint offset_of[DIGITS];
uint own_keys[PER];
uint ranks[PER];

uint key_at(int at) { return at < count ? keys[at >> 2][at & 3] : 0xffffffffu; }

// Which invocations of the subgroup have this digit, a bit for each.
uint same_as(uint digit) {
    uint same = 0xffffffffu;
    for (int bit = 0; bit < 8; bit++) {
        bool is_set = ((digit >> bit) & 1u) != 0u;
        uint votes = subgroupBallot(is_set).x;
        same &= is_set ? votes : ~votes;
    }
    return same;
}

// The ranks of the keys among those of their digit in the subgroup.
void rank() {
    uint own_counts = gl_SubgroupID * uint(DIGITS);
    for (int k = 0; k < PER; k++) {
        uint digit = digit_of(own_keys[k]);
        uint same = same_as(digit);
        uint before = uint(bitCount(same & gl_SubgroupLtMask.x));
        uint counted = counts[own_counts + digit];
        subgroupMemoryBarrierShared();
        subgroupBarrier();
        if (before == 0u) {
            counts[own_counts + digit] = counted + uint(bitCount(same));
        }
        subgroupMemoryBarrierShared();
        subgroupBarrier();
        ranks[k] = counted + before;
    }
}

// Makes of the counts where each subgroup's keys of a digit start in the tile. Returns the keys of the digit that this invocation stands for.
uint scan_counts(uint next_place) {
    int digit = int(gl_LocalInvocationIndex);
    uint total = 0u;
    if (digit < DIGITS) {
        for (int subgroup = 0; subgroup < SUBGROUPS; subgroup++) {
            total += counts[subgroup * DIGITS + digit];
        }
    }
    uint of_group;
    uint start = scan_of_group(total, of_group);
    if (digit < DIGITS) {
        offset_of[digit] = next_place - start;
        for (int subgroup = 0; subgroup < SUBGROUPS; subgroup++) {
            uint here = counts[subgroup * DIGITS + digit];
            counts[subgroup * DIGITS + digit] = start;
            start += here;
        }
    }
    barrier();
    return total;
}

void main() {
    int own = int(gl_LocalInvocationIndex);
    uint next_place = own < DIGITS ? places[own * int(gl_NumWorkGroups.x) + int(gl_WorkGroupID.x)] : 0u;
    for (int tile = 0; tile < tiles; tile++) {
        int first = first_of(tile);
        if (first >= count) {
            break;
        }
        for (int at = own; at < SUBGROUPS * DIGITS; at += GROUP) {
            counts[at] = 0u;
        }
        int from = first + int(gl_SubgroupID) * 32 * PER + int(gl_SubgroupInvocationID);
        for (int k = 0; k < PER; k++) {
            own_keys[k] = key_at(from + 32 * k);
        }
#ifdef VALUES
        for (int k = 0; k < PER; k++) {
            int at = from + 32 * k;
            own_values[k] = at < count ? values[at >> 2][at & 3] : 0u;
        }
#endif
        barrier();
        rank();
        barrier();
        next_place += scan_counts(next_place);
        for (int k = 0; k < PER; k++) {
            uint place = ranks[k] + counts[gl_SubgroupID * uint(DIGITS) + digit_of(own_keys[k])];
            tile_keys[place] = own_keys[k];
#ifdef VALUES
            tile_values[place] = own_values[k];
#endif
        }
        barrier();
        int filled = min(TILE, count - first);
        for (int k = 0; k < PER; k++) {
            int at = own + k * GROUP;
            if (at < filled) {
                uint key = tile_keys[at];
                uint place = offset_of[digit_of(key)] + uint(at);
                sorted_keys[place] = key;
#ifdef VALUES
                sorted_values[place] = tile_values[at];
#endif
            }
        }
        barrier();
    }
}
