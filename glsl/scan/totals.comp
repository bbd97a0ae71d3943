// The totals of the parts of a vector that work groups scan.
//
// Defines: those of include/scan.glsl; GROUP, PER. Inputs: those of include/scan_texels.glsl and include/scan_tile.glsl. Outputs:
// Totals, and with SEGMENTED HasStarts, a number for each group.
layout(local_size_x = GROUP) in;
#include "include/scan.glsl"
#include "include/scan_texels.glsl"
#include "include/scan_group.glsl"
#include "include/scan_tile.glsl"
layout(std430, binding = 0) writeonly buffer Totals { NUMBER totals[]; };
#ifdef SEGMENTED
layout(std430, binding = 1) writeonly buffer HasStarts { uint has_starts[]; };
#endif

void main() {
    Item total = NOTHING;
    for (int tile = 0; tile < tiles; tile++) {
        Item of_group;
        scan_of_group(total_from(first_of(tile)), of_group);
        total = join(total, of_group);
    }
    if (gl_LocalInvocationIndex == 0u) {
        uint group = gl_WorkGroupID.x;
        totals[group] = NUMBER_OF(total);
#ifdef SEGMENTED
        has_starts[group] = uint(STARTS(total));
#endif
    }
}
