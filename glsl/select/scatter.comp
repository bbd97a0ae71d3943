// The numbers of one panel that are kept, each to its place in a part of the result; with PARTITION the others too, behind them.
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
// Those of one tile are read while those of the next are written.
shared uint counts[2][PER][GROUP_Y][GROUP_X];

void put(NUMBER number, uint place) {
    if (place >= window.x && place - window.x < window.y) {
        part[place - window.x] = number;
    }
}

// Puts a number, whose rank is how many that are kept stand before it; returns the rank of the next.
uint moved(NUMBER number, uint own, uint rank, uint index) {
    if (own == 0u) {
        put(number, rank);
        return rank + 1u;
    }
#ifdef PARTITION
    if (own == 1u) {
        put(number, total + first + index - rank);
    }
#endif
    return rank;
}

void main() {
    uint running = before[total_place()];
    for (int tile = 0; tile < tiles; tile++) {
        load(tile);
        for (int k = 0; k < PER; k++) {
            counts[tile & 1][k][ROW][LANE] = kept_in(classes_here[k]);
        }
        barrier();
        for (int k = 0; k < PER; k++) {
            uint rank = running;
            for (int lane = 0; lane < GROUP_X; lane++) {
                uint count = counts[tile & 1][k][ROW][lane];
                rank += lane < LANE ? count : 0u;
                running += count;
            }
            uint index = 4u * uint(index_of(place_of(tile, k)));
            rank = moved(here[k].x, classes_here[k].x, rank, index);
            rank = moved(here[k].y, classes_here[k].y, rank, index + 1u);
            rank = moved(here[k].z, classes_here[k].z, rank, index + 2u);
            rank = moved(here[k].w, classes_here[k].w, rank, index + 3u);
        }
    }
}
