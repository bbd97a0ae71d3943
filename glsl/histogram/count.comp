// How many numbers of a panel are in each bin, added to those of the panels before.
//
// A work group counts in shared memory: some of the bins, or all of them several times, so that equal numbers of neighbours do not wait for
// each other.
//
// Defines: those of include/bin.glsl; GROUP_X, GROUP_Y; ROOM, the counts of a group. Inputs: those of include/bin.glsl; numbers;
// length_of_panel; shift, the exponent of a row's length; part, the first bin that is counted and their number; copies of each count, a power
// of two. Output: Counts.
layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;
#include "include/number.glsl"
#include "include/bin.glsl"
#define GROUP uint(GROUP_X * GROUP_Y)
uniform SAMPLER numbers;
uniform int length_of_panel, shift;
uniform uvec2 part;
uniform uint copies;
layout(std430, binding = 0) buffer Counts { uint counts[]; };
shared uint of_bin[ROOM];

void add(NUMBER x, int left) {
    uint bin = bin_of(x) - part.x;
    if (left > 0 && bin < part.y) {
        atomicAdd(of_bin[bin * copies + (gl_LocalInvocationIndex & (copies - 1u))], 1u);
    }
}

void main() {
    for (uint at = gl_LocalInvocationIndex; at < part.y * copies; at += GROUP) {
        of_bin[at] = 0u;
    }
    barrier();
    ivec2 step = ivec2(gl_NumWorkGroups.xy) * ivec2(GROUP_X, GROUP_Y);
    ivec2 size = textureSize(numbers, 0);
    ivec2 place = ivec2(gl_GlobalInvocationID.xy);
    for (int y = place.y; y < size.y; y += step.y) {
        for (int x = place.x; x < size.x; x += step.x) {
            FOUR four = READ(numbers, ivec2(x, y));
            int left = length_of_panel - 4 * ((y << shift) + x);
            add(four.x, left);
            add(four.y, left - 1);
            add(four.z, left - 2);
            add(four.w, left - 3);
        }
    }
    barrier();
    for (uint bin = gl_LocalInvocationIndex; bin < part.y; bin += GROUP) {
        uint sum = 0u;
        for (uint copy = 0u; copy < copies; copy++) {
            sum += of_bin[bin * copies + copy];
        }
        if (sum != 0u) {
            atomicAdd(counts[part.x + bin], sum);
        }
    }
}
