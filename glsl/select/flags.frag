// 1 for each number that is kept, and 0 for the others.
// Defines: those of include/number.glsl; MASKED. Inputs: those of include/select.glsl. Output: flags.
#include "include/number.glsl"
#include "include/select.glsl"
out uvec4 flags;

void main() { flags = kept(TEXEL, READ(numbers, TEXEL)); }
