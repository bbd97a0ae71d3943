// A pass of a Fourier transform. Each texel of the result has two complex numbers.
//
// Defines: RADIX: 2, 3, 4, 5 or 7. PAIRS if the two numbers of a texel have the same place in butterflies beside each other. SHIFTS if
// the divisors are powers of two. TWO_LEVELS if a root is the product of two of the table. Those of include/each_texel.glsl. Inputs: x,
// complex numbers, and shift, the exponent of its rows' length, which is the target's too; roots and shift_of_roots, the table
// (src/primitives/fft/roots.rs); total, the complex numbers; block, across and done (src/primitives/fft/plan.rs); blocks, which is
// across / block; with SHIFTS the exponents of block and blocks; length_of_transform; before and after, factors of the real and the
// imaginary parts that are read and written. Output: the texels.
// Source: Stockham, "High-Speed Convolution and Correlation" (1966); Moreland and Angel, "The FFT on a GPU" (2003).
#include "include/complex.glsl"
#include "include/complex_texels.glsl"
uniform int total, block, across, blocks, done, length_of_transform;
#ifdef SHIFTS
uniform ivec2 exponents;
#define OVER_BLOCK(a) ((a) >> exponents.x)
#define OVER_BLOCKS(a) ((a) >> exponents.y)
#else
#define OVER_BLOCK(a) ((a) / block)
#define OVER_BLOCKS(a) ((a) / blocks)
#endif
uniform vec2 before, after;
#include "include/each_texel.glsl"

#ifdef PAIRS
#define COMPLEX vec4
#define BOTH(factors) factors.xyxy
#define INPUT(at) (texel_at((at) >> 1) * BOTH(before))
#else
#define COMPLEX vec2
#define BOTH(factors) factors
#define INPUT(at) (complex_at(at) * before)
#endif

vec2 root_at(int index) {
#ifdef TWO_LEVELS
    return times(entry_at(index & 4095), entry_at(4096 + (index >> 12)));
#else
    return entry_at(index);
#endif
}

#if RADIX == 2
COMPLEX butterfly(int at, int m) {
    COMPLEX second = INPUT(at + across);
    return INPUT(at) + (m == 0 ? second : -second);
}
#elif RADIX == 4
COMPLEX butterfly(int at, int m) {
    COMPLEX c = INPUT(at + 2 * across);
    COMPLEX d = INPUT(at + 3 * across);
    bool odd = (m & 1) != 0;
    COMPLEX even_sum = INPUT(at) + (odd ? -c : c);
    COMPLEX odd_sum = INPUT(at + across) + (odd ? -d : d);
    // Times -i where m is odd, and -1 where its second bit is set.
#ifdef PAIRS
    odd_sum = odd ? vec4(odd_sum.y, -odd_sum.x, odd_sum.w, -odd_sum.z) : odd_sum;
#else
    odd_sum = odd ? vec2(odd_sum.y, -odd_sum.x) : odd_sum;
#endif
    return even_sum + (m < 2 ? odd_sum : -odd_sum);
}
#endif

// The complex number at a place, or two from there on.
COMPLEX value_at(int at) {
    int unit = OVER_BLOCK(at);
    int q = at - unit * block;
    int parts = unit / RADIX;
    int m = unit - parts * RADIX;
    int outer = OVER_BLOCKS(parts);
    int p = parts - outer * blocks;
    int first = q + block * parts + outer * (RADIX - 1) * across;
    int power = p * m * done;
#if RADIX == 2 || RADIX == 4
    COMPLEX value = times(butterfly(first, m), root_at(power));
#else
    int step_of_root = m * (length_of_transform / RADIX);
    COMPLEX value = times(INPUT(first), root_at(power));
    for (int r = 1; r < RADIX; r++) {
        power += step_of_root;
        power -= power >= length_of_transform ? length_of_transform : 0;
        value += times(INPUT(first + r * across), root_at(power));
    }
#endif
    return value * BOTH(after);
}

vec4 texel_of_result() {
    int at = 2 * ((TEXEL.y << shift) + TEXEL.x);
#ifdef PAIRS
    return at < total ? value_at(at) : vec4(0.0);
#else
    vec4 two = vec4(0.0);
    if (at < total) {
        two.xy = value_at(at);
    }
    if (at + 1 < total) {
        two.zw = value_at(at + 1);
    }
    return two;
#endif
}

void main() {
    WRITE(texel_of_result());
}
