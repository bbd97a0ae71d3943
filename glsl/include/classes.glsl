// The classes of the numbers of a panel: what a predicate holds for is of class 0 and the rest of class 1, or the class is a digit.
//
// Requires  include/number.glsl; the file `predicate`, an expression of `x`, a number, and with MASKED of `mask`
// Defines   MASKED; BY_DIGIT, if the classes are digits of whole numbers
// Inputs    numbers; mask_of with MASKED; length_of_panel, the numbers of the panel; shift, the exponent of a row's length; classes, their
//           number; with BY_DIGIT digit, the place of its lowest bit
// Provides  NO_CLASS; place_of(index), where a texel is; classes_of(four, index), of the numbers of the texel with this index, NO_CLASS
//           in the padding
#define NO_CLASS 0xffffffffu
uniform SAMPLER numbers;
#ifdef MASKED
uniform usampler2D mask_of;
#endif
uniform int length_of_panel, shift;
#ifdef BY_DIGIT
uniform uint classes;
uniform int digit;
#endif

ivec2 place_of(int index) { return ivec2(index & ((1 << shift) - 1), index >> shift); }

uint class_of(NUMBER x, uint mask) {
#ifdef BY_DIGIT
    return (x >> digit) & (classes - 1u);
#else
    // The text ends with the parenthesis.
    return bool(
#include "predicate"
    ? 0u : 1u;
#endif
}

uvec4 classes_of(FOUR four, int index) {
    int left = length_of_panel - 4 * index;
    uvec4 mask = uvec4(0u);
#ifdef MASKED
    if (left > 0) {
        mask = READ(mask_of, place_of(index));
    }
#endif
    return uvec4(left > 0 ? class_of(four.x, mask.x) : NO_CLASS, left > 1 ? class_of(four.y, mask.y) : NO_CLASS,
        left > 2 ? class_of(four.z, mask.z) : NO_CLASS, left > 3 ? class_of(four.w, mask.w) : NO_CLASS);
}
