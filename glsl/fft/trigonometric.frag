// What stands between sine and cosine transforms and the transforms of real numbers that they are made by, in rows.
//
// Defines: one of COSINE_1, COSINE_2, SINE_1, SINE_2, HARTLEY, and one of
//   EXTEND   a row of x continued, or put into another order, so that its transform has the result
//   FINISH   the result, from that transform
//   BEGIN    for the inverse of type II: the transform whose inverse has the result
//   RESTORE  for it: the result, in its order
// Those of include/each_texel.glsl. Inputs: those of include/complex_texels.glsl, where roots is e^(-pi i k / 2 n); shift_of_result; total,
// the numbers of the result; lengths, of a row of x and of the result; length, n; scale. Output: the texels.
// Sources: Makhoul, "A Fast Cosine Transform in One and Two Dimensions" (1980); Bracewell, "Discrete Hartley transform" (1983).
#include "include/complex.glsl"
#include "include/complex_texels.glsl"
#include "include/each_texel.glsl"
uniform int shift_of_result, total, length_of_row;
uniform ivec2 lengths;
uniform float scale;

#if defined(SINE_2)
// A sine transform of type II is the cosine transform of the numbers with alternating signs, reversed.
#define SIGN(j) (((j) & 1) == 0 ? 1.0 : -1.0)
#define RESULT_OF(k) (length_of_row - 1 - (k))
#else
#define SIGN(j) 1.0
#define RESULT_OF(k) (k)
#endif

#if defined(EXTEND)
float number_at(int row, int j) {
#if defined(COSINE_1)
    return real_at(row + (j < lengths.x ? j : lengths.y - j));
#elif defined(SINE_1)
    if (j == 0 || j == lengths.x + 1) {
        return 0.0;
    }
    return j <= lengths.x ? real_at(row + j - 1) : -real_at(row + lengths.y - j - 1);
#else
    int from = 2 * j < length_of_row ? 2 * j : 2 * (length_of_row - 1 - j) + 1;
    return SIGN(from) * real_at(row + from);
#endif
}
#elif defined(FINISH)
float number_at(int row, int k) {
#if defined(COSINE_1)
    return scale * complex_at(row + k).x;
#elif defined(SINE_1)
    return -scale * complex_at(row + k + 1).y;
#elif defined(HARTLEY)
    bool mirrored = k >= lengths.x;
    vec2 value = complex_at(row + (mirrored ? length_of_row - k : k));
    return scale * (value.x + (mirrored ? value.y : -value.y));
#else
    k = RESULT_OF(k);
    bool mirrored = k >= lengths.x;
    vec2 value = complex_at(row + (mirrored ? length_of_row - k : k)) * vec2(1.0, mirrored ? -1.0 : 1.0);
    return 2.0 * times(value, entry_at(k)).x;
#endif
}
#elif defined(RESTORE)
float number_at(int row, int j) {
    int from = (j & 1) == 0 ? j / 2 : length_of_row - 1 - j / 2;
    return SIGN(j) * real_at(row + from);
}
#endif

#ifdef BEGIN
vec2 value_at(int at) {
    if (at >= total) {
        return vec2(0.0);
    }
    int unit = at / lengths.y;
    int k = at - unit * lengths.y;
    int row = unit * lengths.x;
    float mirrored = k == 0 ? 0.0 : real_at(row + RESULT_OF(length_of_row - k));
    return times(0.5 * vec2(real_at(row + RESULT_OF(k)), -mirrored), entry_at(k) * vec2(1.0, -1.0));
}
#else
float value_at(int at) {
    if (at >= total) {
        return 0.0;
    }
    int unit = at / lengths.y;
    return number_at(unit * lengths.x, at - unit * lengths.y);
}
#endif

vec4 texel_of_result() {
    int texel = (TEXEL.y << shift_of_result) + TEXEL.x;
#ifdef BEGIN
    return vec4(value_at(2 * texel), value_at(2 * texel + 1));
#else
    int at = 4 * texel;
    return vec4(value_at(at), value_at(at + 1), value_at(at + 2), value_at(at + 3));
#endif
}

void main() {
    WRITE(texel_of_result());
}
