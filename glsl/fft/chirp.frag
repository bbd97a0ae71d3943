// The steps around the two transforms of Bluestein's algorithm, which makes a transform of any length a convolution with a chirp.
//
// Defines: one of SPREAD (the numbers times the chirp, with zeros up to the longer length), SPECTRUM (conjugates of products with the
// chirp's transform), GATHER (conjugates of the first numbers, times the chirp). Those of include/each_texel.glsl. Inputs: those of
// include/complex_texels.glsl, where roots is the chirp or its transform; shift_of_result; total, the complex numbers of the result;
// inner, and the lengths of x and of the result along the axis; before and after. Output: the texels.
// Source: Bluestein, "A Linear Filtering Approach to the Computation of the Discrete Fourier Transform" (1970).
#include "include/complex.glsl"
#include "include/complex_texels.glsl"
#include "include/each_texel.glsl"
uniform int shift_of_result, total, inner, length_of_x, length_of_result;
uniform vec2 before, after;

vec2 value_at(int at) {
    if (at >= total) {
        return vec2(0.0);
    }
    int unit = at / inner;
    int q = at - unit * inner;
    int outer = unit / length_of_result;
    int k = unit - outer * length_of_result;
#if defined(SPREAD)
    if (k >= length_of_x) {
        return vec2(0.0);
    }
    return times(complex_at((outer * length_of_x + k) * inner + q) * before, entry_at(k));
#elif defined(SPECTRUM)
    return times(complex_at(at), entry_at(k)) * vec2(1.0, -1.0);
#else
    vec2 back = complex_at((outer * length_of_x + k) * inner + q) * vec2(1.0, -1.0);
    return times(back, entry_at(k)) * after;
#endif
}

vec4 texel_of_result() {
    int at = 2 * ((TEXEL.y << shift_of_result) + TEXEL.x);
    return vec4(value_at(at), value_at(at + 1));
}

void main() {
    WRITE(texel_of_result());
}
