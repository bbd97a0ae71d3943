// The exclusive scan of the totals of all work groups, by one group, in place.
//
// Defines: those of include/scan.glsl; GROUP. Inputs: count, the totals; continues, whether Carry has what stands before the first.
// Outputs: Totals; Carry, what stands before the next panel of the vector. With SEGMENTED HasStarts is read.
layout(local_size_x = GROUP) in;
#include "include/scan.glsl"
#include "include/scan_group.glsl"
layout(std430, binding = 0) buffer Totals { NUMBER totals[]; };
layout(std430, binding = 1) buffer Carry { NUMBER carry[]; };
#ifdef SEGMENTED
layout(std430, binding = 2) readonly buffer HasStarts { uint has_starts[]; };
#endif
uniform int count;
uniform bool continues;

Item total_at(int at) { return ITEM(totals[at], has_starts[at] != 0u); }

void main() {
    int each = (count + GROUP - 1) / GROUP;
    int first = int(gl_LocalInvocationIndex) * each;
    int end = min(first + each, count);
    Item own = NOTHING;
    for (int at = first; at < end; at++) {
        own = join(own, total_at(at));
    }
    Item of_group;
    Item running = scan_of_group(own, of_group);
    Item carried = NOTHING;
    if (continues) {
        carried = ITEM(carry[0], false);
    }
    running = join(carried, running);
    for (int at = first; at < end; at++) {
        Item total = total_at(at);
        totals[at] = NUMBER_OF(running);
        running = join(running, total);
    }
    memoryBarrierBuffer();
    barrier();
    if (gl_LocalInvocationIndex == 0u) {
        carry[0] = NUMBER_OF(join(carried, of_group));
    }
}
