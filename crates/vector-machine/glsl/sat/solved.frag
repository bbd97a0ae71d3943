// The candidates of a group that are models: those in no mask.
//
// Input: masks of unsatisfied clauses or of blocks of them. Defines: COUNT, COUNT_ROWS.
#include "include/masks.glsl"

uniform highp usampler2D masks;
out uvec4 solved;

void main() {
    uvec4 some = uvec4(0u);
    for (int i = 0; i < COUNT; i++) {
        some |= READ(masks, PLACE(i, TEXEL.y, COUNT_ROWS));
    }
    solved = ~some;
}
