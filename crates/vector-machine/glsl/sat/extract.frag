// The values of one candidate's variables, 0 or 1. Inputs: assignments, group, candidate (0 to 127).
// Define: VARIABLE_ROWS.
#include "include/masks.glsl"

uniform highp usampler2D assignments;
uniform int group;
uniform int candidate;
out uint value;

void main() {
    uvec4 mask = READ(assignments, TEXEL + ivec2(0, group * VARIABLE_ROWS));
    value = SET(mask, candidate) ? 1u : 0u;
}
