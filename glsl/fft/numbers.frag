// Complex numbers, one by one.
//
// Defines: one of
//   PRODUCT   x times y, both complex
//   SCALE     x, complex, times y, real
//   CONJUGATE of x, complex
//   TOGETHER  x and y, real, as real and imaginary parts
//   REAL, IMAGINARY, MAGNITUDE   of x, which are real
// Those of include/each_texel.glsl. Inputs: those of include/complex_texels.glsl, of which roots is not used; y and shift_of_y;
// shift_of_result; total, the numbers of the result. Output: the texels.
#include "include/complex.glsl"
#include "include/complex_texels.glsl"
#include "include/each_texel.glsl"
uniform int shift_of_result, total;
uniform sampler2D y;
uniform int shift_of_y;

vec4 texel_of_y(int index) { return READ(y, ivec2(index & ((1 << shift_of_y) - 1), index >> shift_of_y)); }

#if defined(REAL) || defined(IMAGINARY) || defined(MAGNITUDE)
float number_at(int at) {
    if (at >= total) {
        return 0.0;
    }
    vec2 number = complex_at(at);
#if defined(REAL)
    return number.x;
#elif defined(IMAGINARY)
    return number.y;
#else
    // No square overflows.
    vec2 size = abs(number);
    float largest = max(size.x, size.y);
    vec2 scaled = size / largest;
    return largest > 0.0 && largest < 3.0e38 ? largest * sqrt(dot(scaled, scaled)) : size.x + size.y;
#endif
}

vec4 texel_of_result() {
    int at = 4 * ((TEXEL.y << shift_of_result) + TEXEL.x);
    return vec4(number_at(at), number_at(at + 1), number_at(at + 2), number_at(at + 3));
}
#else
vec4 texel_of_result() {
    int texel = (TEXEL.y << shift_of_result) + TEXEL.x;
    if (2 * texel >= total) {
        return vec4(0.0);
    }
#if defined(PRODUCT)
    vec4 a = texel_at(texel);
    vec4 b = texel_of_y(texel);
    return vec4(times(a.xy, b.xy), times(a.zw, b.zw));
#elif defined(CONJUGATE)
    vec4 a = texel_at(texel);
    return vec4(a.x, -a.y, a.z, -a.w);
#else
    vec4 four = texel_of_y(texel >> 1);
    vec2 two = (texel & 1) == 0 ? four.xy : four.zw;
#if defined(SCALE)
    return texel_at(texel) * two.xxyy;
#else
    vec4 reals = texel_at(texel >> 1);
    vec2 parts = (texel & 1) == 0 ? reals.xy : reals.zw;
    return vec4(parts.x, two.x, parts.y, two.y);
#endif
#endif
}
#endif

void main() {
    WRITE(texel_of_result());
}
