// An answer of include/card.glsl in each texel: the arguments are those of the same texel.
// Inputs and defines: those of include/card.glsl. Output: result, bits.
#include "include/card.glsl"
out int result;

void main() {
    result = answer(READ(arguments, TEXEL));
}
