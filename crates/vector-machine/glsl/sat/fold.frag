// Folds BLOCK neighbouring masks by or: the candidates with a bit in any of them.
//
// Input: masks. Defines: BLOCK, COUNT (the number of masks), COUNT_ROWS, FOLDED_ROWS.
#include "include/masks.glsl"

uniform highp usampler2D masks;
out uvec4 some;

void main() {
    int group = GROUP(FOLDED_ROWS);
    int first = INDEX(FOLDED_ROWS) * BLOCK;
    int end = min(first + BLOCK, COUNT);
    some = uvec4(0u);
    for (int i = first; i < end; i++) {
        some |= READ(masks, PLACE(i, group, COUNT_ROWS));
    }
}
