// The sums of the totals of strips, by parts of GROUP times PER of them: the totals are themselves scanned in parts.
//
// Defines: those of include/scan.glsl; GROUP, SIDE, PER. Inputs: count, the totals; Totals, and with SEGMENTED HasStarts. Outputs: Sums, and with
// SEGMENTED SumsHaveStarts, a number for each part.
layout(local_size_x = GROUP) in;
#include "include/scan.glsl"
#include "include/scan_group.glsl"
layout(std430, binding = 0) readonly buffer Totals { NUMBER totals[]; };
layout(std430, binding = 1) writeonly buffer Sums { NUMBER sums[]; };
#ifdef SEGMENTED
layout(std430, binding = 2) readonly buffer HasStarts { uint has_starts[]; };
layout(std430, binding = 3) writeonly buffer SumsHaveStarts { uint sums_have_starts[]; };
#endif
uniform int count;

void main() {
    int first = int(gl_GlobalInvocationID.x) * PER;
    Item own = NOTHING;
    for (int at = first; at < min(first + PER, count); at++) {
        own = join(own, ITEM(totals[at], has_starts[at] != 0u));
    }
    Item of_group;
    scan_of_group(own, of_group);
    if (gl_LocalInvocationIndex == 0u) {
        sums[gl_WorkGroupID.x] = NUMBER_OF(of_group);
#ifdef SEGMENTED
        sums_have_starts[gl_WorkGroupID.x] = uint(STARTS(of_group));
#endif
    }
}
