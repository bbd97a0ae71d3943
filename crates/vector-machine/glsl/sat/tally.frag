// The number of clauses in one row of masks that a candidate does not satisfy. A group may have several rows, whose
// counts the host adds, so that no loop is longer than a row.
// Input: masks of unsatisfied clauses. Defines: COUNT, COUNT_ROWS.
#include "include/masks.glsl"

uniform highp usampler2D masks;
out uint sum;

void main() {
    int before = TEXEL.y % COUNT_ROWS << LOG_WIDTH;
    int count = min(COUNT - before, 1 << LOG_WIDTH);
    sum = 0u;
    for (int i = 0; i < count; i++) {
        sum += SET(READ(masks, ivec2(i, TEXEL.y)), TEXEL.x) ? 1u : 0u;
    }
}
