// The numbers of one panel that are kept, each to its place in a part of the result; with PARTITION the others too, behind them.
//
// Defines: those of include/number.glsl; MASKED; PARTITION; GROUP_X, GROUP_Y. Inputs: those of include/select.glsl; ranks, how many that
// are kept stand before each number; with PARTITION first, the index of the panel's first number, and total, how many are kept; window, the first place
// of the part and its length. Output: Part, the numbers of the part.
layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;
#include "include/number.glsl"
#include "include/select.glsl"
uniform usampler2D ranks;
uniform uvec2 window;
#ifdef PARTITION
uniform uint first, total;
#define GOES(is_kept, left) (left > 0)
#define PLACE(is_kept, rank, index) (is_kept ? rank : total + first + index - rank)
#else
#define GOES(is_kept, left) is_kept
#define PLACE(is_kept, rank, index) rank
#endif
layout(std430, binding = 0) writeonly buffer Part { NUMBER part[]; };

void put(NUMBER number, bool is_kept, uint rank, uint index, int left) {
    uint place = PLACE(is_kept, rank, index);
    if (GOES(is_kept, left) && place >= window.x && place - window.x < window.y) {
        part[place - window.x] = number;
    }
}

void main() {
    ivec2 place = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(place, textureSize(numbers, 0)))) {
        return;
    }
    FOUR four = READ(numbers, place);
    bvec4 flags = notEqual(kept(place, four), uvec4(0u));
    uvec4 rank = READ(ranks, place);
    int index = 4 * ((place.y << shift) + place.x);
    uint at = uint(index);
    int left = length_of_panel - index;
    put(four.x, flags.x, rank.x, at, left);
    put(four.y, flags.y, rank.y, at + 1u, left - 1);
    put(four.z, flags.z, rank.z, at + 2u, left - 2);
    put(four.w, flags.w, rank.w, at + 3u, left - 3);
}
