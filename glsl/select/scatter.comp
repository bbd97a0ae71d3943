// The numbers of one panel that are kept, each to its place in a part of the result; with PARTITION the others too, behind them.
//
// Each row of a tile is parted in shared memory, so that neighbours write to neighbouring places.
//
// Defines: those of include/strip.glsl and include/classes.glsl; PARTITION. Inputs: theirs; Before, how many are kept before each row of
// a strip; with PARTITION first, the index of the panel's first number, and total, how many are kept; window, the first place of the part
// and its length. Output: Part, the numbers of the part.
layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;
#include "include/number.glsl"
#include "include/classes.glsl"
#include "include/strip.glsl"
#include "include/strip_classes.glsl"
uniform uvec2 window;
layout(std430, binding = 0) readonly buffer Before { uint before[]; };
layout(std430, binding = 1) writeonly buffer Part { NUMBER part[]; };
#ifdef PARTITION
uniform uint first, total;
#endif
shared uint counts[PER][GROUP_Y][GROUP_X];
// A row of a tile with what is kept before the rest.
#define LENGTH (4 * PER * GROUP_X)
shared NUMBER parted[GROUP_Y][LENGTH];

// Puts a number into the row of the tile; ranks are how many that are kept and how many others stand before it.
uvec2 put(NUMBER number, uint own, uvec2 ranks) {
    if (own == 0u) {
        parted[ROW][ranks.x] = number;
        return ranks + uvec2(1u, 0u);
    }
#ifdef PARTITION
    if (own == 1u) {
        parted[ROW][ranks.y] = number;
        return ranks + uvec2(0u, 1u);
    }
#endif
    return ranks;
}

void main() {
    uint running = before[total_place()];
    for (int tile = 0; tile < tiles; tile++) {
        load(tile);
        for (int k = 0; k < PER; k++) {
            counts[k][ROW][LANE] = kept_in(classes_here[k]);
        }
        barrier();
        uint kept = 0u;
        uint ranks[PER];
        for (int k = 0; k < PER; k++) {
            uint rank = kept;
            for (int lane = 0; lane < GROUP_X; lane++) {
                uint count = counts[k][ROW][lane];
                rank += lane < LANE ? count : 0u;
                kept += count;
            }
            ranks[k] = rank;
        }
        for (int k = 0; k < PER; k++) {
            uint index = uint(4 * (k * GROUP_X + LANE));
            uvec2 own = uvec2(ranks[k], kept + index - ranks[k]);
            own = put(here[k].x, classes_here[k].x, own);
            own = put(here[k].y, classes_here[k].y, own);
            own = put(here[k].z, classes_here[k].z, own);
            own = put(here[k].w, classes_here[k].w, own);
        }
        barrier();
#ifdef PARTITION
        ivec2 begin = place_of(tile, 0) - ivec2(LANE, 0);
        int of_row = 4 * ((1 << shift) - begin.x);
        uint start = 4u * uint(index_of(begin));
        uint others = total + first + start - running - kept;
        uint length = uint(clamp(length_of_panel - int(start), 0, clamp(of_row, 0, LENGTH)));
#else
        uint others = 0u;
        uint length = kept;
#endif
        for (uint at = uint(LANE); at < length; at += uint(GROUP_X)) {
            uint place = at + (at < kept ? running : others);
            if (place >= window.x && place - window.x < window.y) {
                part[place - window.x] = parted[ROW][at];
            }
        }
        running += kept;
    }
}
