// How many keys of the part of each work group have each digit.
//
// Neighbours count in places of their own, COPIES of them, so that equal digits do not wait for each other.
//
// Defines: those of include/sort_tile.glsl; COPIES. Inputs: those of include/sort_tile.glsl; Keys. Output: Counts, by digits and then by groups.
// Source: Satish, Harris and Garland, "Designing Efficient Sorting Algorithms for Manycore GPUs" (2009); Merrill and Grimshaw,
// "High Performance and Scalable Radix Sorting" (2011).
layout(local_size_x = GROUP) in;
#include "include/sort_tile.glsl"
layout(std430, binding = 0) readonly buffer Keys { uvec4 keys[]; };
layout(std430, binding = 1) writeonly buffer Counts { uint counts[]; };
shared uint of_digit[DIGITS * COPIES];

void add(uint key) { atomicAdd(of_digit[digit_of(key) * uint(COPIES) + gl_LocalInvocationIndex % uint(COPIES)], 1u); }

void main() {
    int own = int(gl_LocalInvocationIndex);
    for (int at = own; at < DIGITS * COPIES; at += GROUP) {
        of_digit[at] = 0u;
    }
    barrier();
    int end = min(first_of(tiles), count);
    for (int texel = first_of(0) / 4 + own; 4 * texel < end; texel += GROUP) {
        uvec4 four = keys[texel];
        int left = end - 4 * texel;
        add(four.x);
        if (left > 1) { add(four.y); }
        if (left > 2) { add(four.z); }
        if (left > 3) { add(four.w); }
    }
    barrier();
    for (int digit = own; digit < DIGITS; digit += GROUP) {
        uint sum = 0u;
        for (int copy = 0; copy < COPIES; copy++) {
            sum += of_digit[digit * COPIES + copy];
        }
        counts[digit * int(gl_NumWorkGroups.x) + int(gl_WorkGroupID.x)] = sum;
    }
}
