// What stands between real numbers and complex transforms of them, in rows.
//
// Defines: one of
//   SPLIT     the transform of a row of 2 h real numbers, from that of its pairs as h complex numbers
//   JOIN      back: the transform of the pairs, from that of the row
//   COMPLEX   real numbers as complex ones
//   FIRST     the first half of a transform and the number after it, which say all of it
//   MIRROR    back: all of it
//   REAL      the real parts
// Those of include/each_texel.glsl. Inputs: those of include/complex_texels.glsl, where roots is of the order 2 h; shift_of_result; total,
// the numbers of the result; lengths, of a row of x and of the result. Output: the texels.
// Source: Press et al., "Numerical Recipes", chapter 12.3.
#include "include/complex.glsl"
#include "include/complex_texels.glsl"
#include "include/each_texel.glsl"
uniform int shift_of_result, total;
uniform ivec2 lengths;

vec2 conjugate(vec2 a) { return vec2(a.x, -a.y); }

// The number of a transform with this index in the row that begins there. Those without a partner are real.
vec2 of_half(int row, int index) {
    vec2 value = complex_at(row + index);
    return index == 0 || index == lengths.x - 1 ? vec2(value.x, 0.0) : value;
}

vec2 value_at(int at) {
    if (at >= total) {
        return vec2(0.0);
    }
    int unit = at / lengths.y;
    int k = at - unit * lengths.y;
    int row = unit * lengths.x;
#if defined(SPLIT)
    int h = lengths.x;
    vec2 one = complex_at(row + (k == h ? 0 : k));
    vec2 other = conjugate(complex_at(row + (k == 0 ? 0 : h - k)));
    vec2 odd = times(0.5 * (one - other), vec2(0.0, -1.0));
    return 0.5 * (one + other) + times(odd, entry_at(k));
#elif defined(JOIN)
    vec2 one = of_half(row, k);
    vec2 other = conjugate(of_half(row, lengths.y - k));
    vec2 odd = times(0.5 * (one - other), conjugate(entry_at(k)));
    return 0.5 * (one + other) + times(odd, vec2(0.0, 1.0));
#elif defined(COMPLEX)
    return vec2(real_at(row + k), 0.0);
#elif defined(FIRST)
    return complex_at(row + k);
#elif defined(MIRROR)
    if (k == 0) {
        return vec2(complex_at(row).x, 0.0);
    }
    return k < lengths.x ? complex_at(row + k) : conjugate(complex_at(row + lengths.y - k));
#else
    return complex_at(at);
#endif
}

vec4 texel_of_result() {
    int texel = (TEXEL.y << shift_of_result) + TEXEL.x;
#ifdef REAL
    int at = 4 * texel;
    return vec4(value_at(at).x, value_at(at + 1).x, value_at(at + 2).x, value_at(at + 3).x);
#else
    return vec4(value_at(2 * texel), value_at(2 * texel + 1));
#endif
}

void main() {
    WRITE(texel_of_result());
}
