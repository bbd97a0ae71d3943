// An answer of include/card.glsl for each invocation: the arguments lie row by row, in a texture
// that has as many texels as there are invocations.
// Inputs and defines: those of include/card.glsl. Output: Results, bits.
layout(local_size_x = 64) in;
layout(std430, binding = 0) writeonly buffer Results { int results[]; };
#include "include/card.glsl"

void main() {
    int place = int(gl_GlobalInvocationID.x);
    int width = textureSize(arguments, 0).x;
    results[place] = answer(READ(arguments, ivec2(place % width, place / width)));
}
