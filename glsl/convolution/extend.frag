// An array with its borders continued, as complex numbers, for a convolution by transforms; and the part of the result that counts.
//
// Defines: CROP for the latter. Those of include/border.glsl and include/each_texel.glsl. Inputs: those of include/complex_texels.glsl, of
// which roots is not used; shift_of_result; size, the columns and rows of the array, and extended, those of the complex numbers; offset,
// the columns and rows before it. Output: the texels.
#include "include/border.glsl"
#include "include/complex_texels.glsl"
#include "include/each_texel.glsl"
uniform int shift_of_result;
uniform ivec2 size, extended, offset;

#ifdef CROP
float value_at(int at) {
    int row = at / size.x;
    int column = at - row * size.x;
    return row < size.y ? complex_at((row + offset.y) * extended.x + column + offset.x).x : 0.0;
}

vec4 texel_of_result() {
    int at = 4 * ((TEXEL.y << shift_of_result) + TEXEL.x);
    return vec4(value_at(at), value_at(at + 1), value_at(at + 2), value_at(at + 3));
}
#else
float value_at(int at) {
    int row = at / extended.x;
    int from_row = inside(row - offset.y, size.y);
    int from = inside(at - row * extended.x - offset.x, size.x);
    return from_row < 0 || from < 0 || row >= extended.y ? 0.0 : real_at(from_row * size.x + from);
}

vec4 texel_of_result() {
    int at = 2 * ((TEXEL.y << shift_of_result) + TEXEL.x);
    return vec4(value_at(at), 0.0, value_at(at + 1), 0.0);
}
#endif

void main() {
    WRITE(texel_of_result());
}
