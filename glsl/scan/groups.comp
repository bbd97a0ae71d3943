// The exclusive scan of the totals of strips, in place, by parts of GROUP times PER of them.
//
// Defines: those of include/scan.glsl; GROUP, SIDE, PER. Inputs: count, the totals; Sums of the parts, from sums.comp; continues, whether
// something stands before the first, and from, its place in Carry. With SEGMENTED HasStarts and SumsHaveStarts. Outputs: Totals; Carry, in its other place what stands before the
// next panel of the vector.
layout(local_size_x = GROUP) in;
#include "include/scan.glsl"
#include "include/scan_group.glsl"
layout(std430, binding = 0) buffer Totals { NUMBER totals[]; };
layout(std430, binding = 1) readonly buffer Sums { NUMBER sums[]; };
#ifdef SEGMENTED
layout(std430, binding = 2) readonly buffer HasStarts { uint has_starts[]; };
layout(std430, binding = 3) readonly buffer SumsHaveStarts { uint sums_have_starts[]; };
#endif
layout(std430, binding = 4) buffer Carry { NUMBER carry[]; };
uniform int count, from;
uniform bool continues;

// The sums of the parts before this one.
Item before_part() {
    int part = int(gl_WorkGroupID.x);
    int each = (part + GROUP - 1) / GROUP;
    int first = int(gl_LocalInvocationIndex) * each;
    Item own = NOTHING;
    for (int at = first; at < min(first + each, part); at++) {
        own = join(own, ITEM(sums[at], sums_have_starts[at] != 0u));
    }
    Item of_group;
    scan_of_group(own, of_group);
    Item carried = NOTHING;
    if (continues) {
        carried = ITEM(carry[from], false);
    }
    return join(carried, of_group);
}

void main() {
    Item before = before_part();
    int first = int(gl_GlobalInvocationID.x) * PER;
    Item here[PER];
    Item own = NOTHING;
    for (int k = 0; k < PER; k++) {
        here[k] = NOTHING;
        if (first + k < count) {
            here[k] = ITEM(totals[first + k], has_starts[first + k] != 0u);
        }
        own = join(own, here[k]);
    }
    Item of_group;
    Item running = join(before, scan_of_group(own, of_group));
    for (int k = 0; k < PER; k++) {
        if (first + k < count) {
            totals[first + k] = NUMBER_OF(running);
        }
        running = join(running, here[k]);
    }
    if (gl_WorkGroupID.x + 1u == gl_NumWorkGroups.x && gl_LocalInvocationIndex == 0u) {
        carry[1 - from] = NUMBER_OF(join(before, of_group));
    }
}
