// The numbers of one panel that are kept, or with REST the others, in their order, as far as they belong into one panel of the result.
//
// The rank of a number is how many that are kept stand before it, so ranks do not fall: the number of a rank is the last one whose
// rank is not greater, which a binary search finds.
//
// Defines: those of include/number.glsl; REST; FRESH for the first pass over a panel of the result.
// Inputs: numbers and ranks of the panel; shift, the exponent of a row's length; panel, the index of its first number, and their
// number; range, from the first to behind the last place of the result that this panel fills; base, the place of rank 0; first, the place of the first number of
// the target; shift_of_target; old, the target before this pass. Output: result.
// Source: Horn, "Stream Reduction Operations for GPGPU Applications", GPU Gems 2 (2005).
#include "include/number.glsl"
#include "include/number_target.glsl"
uniform SAMPLER numbers;
uniform usampler2D ranks;
uniform uvec2 panel, range;
uniform uint first, base;
uniform int shift, shift_of_target;
#ifndef FRESH
uniform SAMPLER old;
#endif

ivec2 place_of(uint index) {
    int texel = int(index >> 2);
    return ivec2(texel & ((1 << shift) - 1), texel >> shift);
}

// The place in the result of what stands at this index of the panel, or next to it.
uint rank_of(uint index) {
    uint rank = READ(ranks, place_of(index))[index & 3u];
#ifdef REST
    return panel.x + index - rank;
#else
    return rank;
#endif
}

NUMBER number_of(uint rank) {
    uint low = 0u;
    uint high = panel.y;
    while (high - low > 1u) {
        uint middle = (low + high) >> 1;
        if (rank_of(middle) <= rank) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return READ(numbers, place_of(low))[low & 3u];
}

void main() {
#ifdef FRESH
    FOUR four = FOUR(0);
#else
    FOUR four = READ(old, TEXEL);
#endif
    uint place = first + 4u * uint((TEXEL.y << shift_of_target) + TEXEL.x);
    for (int lane = 0; lane < 4; lane++, place++) {
        if (place >= range.x && place < range.y) {
            four[lane] = number_of(place - base);
        }
    }
    result = four;
}
