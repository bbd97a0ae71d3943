// How many clauses a candidate does not satisfy. Input: masks of unsatisfied clauses. Defines: COUNT,
// COUNT_ROWS.
#include "include/masks.glsl"

uniform highp usampler2D masks;
out uint sum;

void main() {
    sum = 0u;
    for (int i = 0; i < COUNT; i++) {
        sum += SET(READ(masks, PLACE(i, TEXEL.y, COUNT_ROWS)), TEXEL.x) ? 1u : 0u;
    }
}
