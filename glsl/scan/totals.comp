// The totals of the strips of a vector's panel.
//
// Defines: those of include/scan.glsl and include/strip.glsl. Inputs: theirs, and those of include/scan_texels.glsl. Outputs: Totals, and with
// SEGMENTED HasStarts, a number for each row of a strip.
layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;
#include "include/scan.glsl"
#include "include/scan_texels.glsl"
#include "include/strip.glsl"
#include "include/scan_strip.glsl"
layout(std430, binding = 0) writeonly buffer Totals { NUMBER totals[]; };
#ifdef SEGMENTED
layout(std430, binding = 1) writeonly buffer HasStarts { uint has_starts[]; };
#endif

void main() {
    Item running = NOTHING;
    for (int tile = 0; tile < tiles; tile++) {
        load(tile);
        for (int k = 0; k < PER; k++) {
            before_of(tile, k, running);
        }
    }
    if (LANE == 0) {
        totals[total_place()] = NUMBER_OF(running);
#ifdef SEGMENTED
        has_starts[total_place()] = uint(STARTS(running));
#endif
    }
}
