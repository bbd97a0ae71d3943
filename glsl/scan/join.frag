// What stands before the next panel of a vector: what stood before this one, and its total.
//
// Defines: those of include/scan.glsl. Inputs: before; total, and with SEGMENTED has_starts: texels whose first number counts.
// Output: result, in its first number.
#include "include/scan.glsl"
#include "include/number_target.glsl"
uniform SAMPLER before;
uniform SAMPLER total;
#ifdef SEGMENTED
uniform usampler2D has_starts;
#endif

void main() {
    Item all = ITEM(READ(total, ivec2(0)).x, READ(has_starts, ivec2(0)).x != 0u);
    result = FOUR(NUMBER_OF(join(ITEM(READ(before, ivec2(0)).x, false), all)), NUMBER(0), NUMBER(0), NUMBER(0));
}
