// An answer of include/card.glsl for each point: the arguments lie row by row.
// Inputs and defines: those of include/card.glsl. Output: result, bits.
#include "include/card.glsl"
flat out int result;

void main() {
    int width = textureSize(arguments, 0).x;
    result = answer(READ(arguments, ivec2(gl_VertexID % width, gl_VertexID / width)));
    gl_Position = vec4(0.0, 0.0, 0.0, 1.0);
    gl_PointSize = 1.0;
}
