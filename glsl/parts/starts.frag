// 1 for each number of a sorted vector that differs from the one before it, and for the first; else 0. NaN does not differ from NaN, nor
// -0 from 0.
//
// Defines: a NUMBER_. Inputs: numbers, a panel; length_of_panel; shift, the exponent of a row's length; before, the panel before, and
// last, the place of its last number, or -1 if there is none. Output: starts, with zeros in the padding.
#include "include/number.glsl"
uniform SAMPLER numbers, before;
uniform int length_of_panel, shift, last;
out uvec4 starts;

ivec2 place_of(int texel) { return ivec2(texel & ((1 << shift) - 1), texel >> shift); }

#ifdef NUMBER_FLOAT
bool differ(float a, float b) { return !(is_nan_of(a) && is_nan_of(b)) && order_of(a) != order_of(b); }
#else
bool differ(NUMBER a, NUMBER b) { return a != b; }
#endif

void main() {
    int texel = (TEXEL.y << shift) + TEXEL.x;
    int left = length_of_panel - 4 * texel;
    FOUR own = READ(numbers, TEXEL);
    bool is_new = true;
    if (texel > 0) {
        is_new = differ(own.x, READ(numbers, place_of(texel - 1)).w);
    } else if (last >= 0) {
        int columns = textureSize(before, 0).x;
        ivec2 place = ivec2((last >> 2) % columns, (last >> 2) / columns);
        is_new = differ(own.x, READ(before, place)[last & 3]);
    }
    starts = uvec4(left > 0 && is_new, left > 1 && differ(own.y, own.x), left > 2 && differ(own.z, own.y), left > 3 && differ(own.w, own.z));
}
