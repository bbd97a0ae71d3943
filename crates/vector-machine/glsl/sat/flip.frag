// The next assignments: a variable changes in the candidates that chose it, where all bits of the choice are those of
// its number.
//
// Inputs: assignments, planes. Defines: PLANES, VARIABLE_ROWS.
#include "include/masks.glsl"

uniform highp usampler2D assignments;
uniform highp usampler2D planes;
out uvec4 assignment;

void main() {
    uint number = uint(INDEX(VARIABLE_ROWS)) + 1u;
    int group = GROUP(VARIABLE_ROWS);
    uvec4 flips = uvec4(~0u);
    for (int p = 0; p < PLANES; p++) {
        uvec4 plane = READ(planes, ivec2(p, group));
        flips &= (number >> uint(p) & 1u) != 0u ? plane : ~plane;
    }
    assignment = READ(assignments, TEXEL) ^ flips;
}
