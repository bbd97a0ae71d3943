// Which numbers of a vector are kept.
//
// Requires  include/number.glsl; the file `predicate`, an expression of `x`, a number, with MASKED of `mask`, with BY_BIT of `bit`
// Inputs    numbers; mask_of with MASKED; bit with BY_BIT; length, the numbers of the panel; shift, the exponent of a row's length
// Provides  kept(place, four)   1 for each of the four numbers of this texel that is kept, else 0
uniform SAMPLER numbers;
#ifdef MASKED
uniform usampler2D mask_of;
#endif
#ifdef BY_BIT
uniform int bit;
#endif
uniform int length_of_panel, shift;

bool keeps(NUMBER x, uint mask) {
    return bool(
#include "predicate"
    );
}

uvec4 kept(ivec2 place, FOUR four) {
    int left = length_of_panel - 4 * ((place.y << shift) + place.x);
#ifdef MASKED
    uvec4 mask = READ(mask_of, place);
#else
    uvec4 mask = uvec4(0u);
#endif
    return uvec4(left > 0 && keeps(four.x, mask.x), left > 1 && keeps(four.y, mask.y), left > 2 && keeps(four.z, mask.z),
        left > 3 && keeps(four.w, mask.w));
}
