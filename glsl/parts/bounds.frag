// The entry of every 64th place of a result, between which those of the other places are searched.
// Inputs: those of include/starts.glsl; shift_of_target. Output: bounds.
#include "include/starts.glsl"
uniform int shift_of_target;
out uvec4 bounds;

void main() {
    uint place = 256u * uint((TEXEL.y << shift_of_target) + TEXEL.x);
    uvec4 four;
    for (int lane = 0; lane < 4; lane++) {
        four[lane] = entry_of(place + 64u * uint(lane), 0u, entries);
    }
    bounds = four;
}
