// How many keys of the part of each work group have each digit.
//
// Defines and inputs: those of include/sort_tile.glsl. Output: Counts, by digits and then by groups.
// Source: Satish, Harris and Garland, "Designing Efficient Sorting Algorithms for Manycore GPUs" (2009); Merrill and Grimshaw,
// "High Performance and Scalable Radix Sorting" (2011).
layout(local_size_x = GROUP) in;
#include "include/sort_tile.glsl"
layout(std430, binding = 1) writeonly buffer Counts { uint counts[]; };
shared uint of_digit[DIGITS];

void main() {
    int own = int(gl_LocalInvocationIndex);
    for (int digit = own; digit < DIGITS; digit += GROUP) {
        of_digit[digit] = 0u;
    }
    barrier();
    for (int tile = 0; tile < tiles; tile++) {
        int first = first_of(tile);
        for (int index = first + own; index < min(first + TILE, count); index += GROUP) {
            atomicAdd(of_digit[digit_of(key_at(index))], 1u);
        }
    }
    barrier();
    for (int digit = own; digit < DIGITS; digit += GROUP) {
        counts[digit * int(gl_NumWorkGroups.x) + int(gl_WorkGroupID.x)] = of_digit[digit];
    }
}
