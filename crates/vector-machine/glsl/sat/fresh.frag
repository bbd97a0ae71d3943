// Random assignments for all candidates, each bit by itself. Input: key. Defines: VARIABLES,
// VARIABLE_ROWS.
#include "include/masks.glsl"
#include "include/random.glsl"

uniform uint key;
out uvec4 assignment;

uint toss(int word) {
    int first = GROUP(VARIABLE_ROWS) * VARIABLES + INDEX(VARIABLE_ROWS);
    return scrambled(key ^ scrambled(4u * uint(first) + uint(word)));
}

void main() {
    assignment = uvec4(toss(0), toss(1), toss(2), toss(3));
}
