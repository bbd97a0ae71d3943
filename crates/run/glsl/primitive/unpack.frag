// The cells of an array from vectors: a vector for each channel, or one in which two channels take turns.
//
// Defines: a NUMBER_ (include/number.glsl); CHANNELS; IN_TURNS. Inputs: x0 to x3, the vectors; shift, the exponent of the length of their
// rows; size, the width and height of the array; columns, whether the vectors go down one column after the other. Output: result.
// Source: none; a gather.
#include "include/number.glsl"
#include "include/cells_target.glsl"
uniform SAMPLER x0;
#if !defined(IN_TURNS) && CHANNELS > 1
uniform SAMPLER x1;
#if CHANNELS > 2
uniform SAMPLER x2;
#endif
#if CHANNELS > 3
uniform SAMPLER x3;
#endif
#endif
uniform int shift;
uniform ivec2 size;
uniform bool columns;

void main() {
    int cell = columns ? TEXEL.x * size.y + TEXEL.y : TEXEL.y * size.x + TEXEL.x;
#if defined(IN_TURNS)
    int texel = cell >> 1;
#else
    int texel = cell >> 2;
#endif
    ivec2 place = ivec2(texel & ((1 << shift) - 1), texel >> shift);
    FOUR four = FOUR(0);
#if defined(IN_TURNS)
    FOUR pairs = READ(x0, place);
    four.xy = (cell & 1) == 0 ? pairs.xy : pairs.zw;
#else
    int lane = cell & 3;
    four.x = READ(x0, place)[lane];
#if CHANNELS > 1
    four.y = READ(x1, place)[lane];
#endif
#if CHANNELS > 2
    four.z = READ(x2, place)[lane];
#endif
#if CHANNELS > 3
    four.w = READ(x3, place)[lane];
#endif
#endif
    result = CELL(four);
}
