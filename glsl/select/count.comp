// How many numbers of each row of a strip are kept.
//
// Defines: those of include/strip.glsl and include/classes.glsl. Inputs: theirs. Output: Totals, one for each row of a strip.
layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;
#include "include/number.glsl"
#include "include/classes.glsl"
#include "include/strip.glsl"
#include "include/strip_classes.glsl"
layout(std430, binding = 0) writeonly buffer Totals { uint totals[]; };
shared uint counts[GROUP_Y][GROUP_X];

void main() {
    uint kept = 0u;
    for (int tile = 0; tile < tiles; tile++) {
        load(tile);
        for (int k = 0; k < PER; k++) {
            kept += kept_in(classes_here[k]);
        }
    }
    counts[ROW][LANE] = kept;
    barrier();
    if (LANE == 0) {
        uint total = 0u;
        for (int lane = 0; lane < GROUP_X; lane++) {
            total += counts[ROW][lane];
        }
        totals[total_place()] = total;
    }
}
