// Elementary functions of floats that treat zeros, infinities and NaN as IEEE 754 does, and keep to their bounds on every
// device: a driver's own sin, log and exp may have no correct digit near zeros, and leave min and max of a NaN open.
//
// Provides  exp_of(x), log_of(x), sin_of(x), cos_of(x), tanh_of(x)   within 2, 2, 4, 4 and 3 ULP
//           sqrt_of(x)                 the device's, for what is not negative
//           power_of(x, y)             x^y within 3 + 3 |y ln x| ULP
//           integer_power_of(x, n)     x^n by multiplications, with |n| roundings; of 1 / x where n < 0
//           minimum_of(x, y), maximum_of(x, y)   NaN if either is
// A denormal counts as 0, whether or not the device keeps it.
// Sources: exp, tanh and the polynomials of sin and cos: Cephes (Moshier); log: e_logf.c of FreeBSD's msun, after fdlibm (Sun, 1993);
// reduction by pi / 2: Payne and Hanek, "Radian Reduction for Trigonometric Functions" (1983).

// Constants of GLSL 3.30 are literals alone.
#define INFINITE intBitsToFloat(0x7f800000)
#define NO_NUMBER intBitsToFloat(0x7fc00000)

#include "include/nan.glsl"

float minimum_of(float x, float y) { return is_nan_of(x) ? x : is_nan_of(y) ? y : y < x ? y : x; }
float maximum_of(float x, float y) { return is_nan_of(x) ? x : is_nan_of(y) ? y : y > x ? y : x; }

float sqrt_of(float x) {
    if (is_nan_of(x) || x == 0.0 || x == INFINITE) {
        return x;
    }
    return x > 0.0 ? sqrt(x) : NO_NUMBER;
}

// e^x: e^r 2^n with |r| <= ln 2 / 2. 2^128 and 2^-126 / 2 have no bits of a normal number, so 2^n has two factors.
float exp_of(float x) {
    if (is_nan_of(x)) {
        return x;
    }
    if (x > 88.722839) {
        return INFINITE;
    }
    if (x < -87.336544) {
        return 0.0;
    }
    float n = floor(x * 1.44269504 + 0.5);
    PRECISE float r = x - n * 0.693359375;
    r = r - n * -2.12194440e-4;
    PRECISE float p = 1.9875691500e-4 * r + 1.3981999507e-3;
    p = p * r + 8.3334519073e-3;
    p = p * r + 4.1665795894e-2;
    p = p * r + 1.6666665459e-1;
    p = p * r + 5.0000001201e-1;
    p = p * (r * r) + r;
    p = p + 1.0;
    int half_n = int(n) / 2;
    PRECISE float part = p * intBitsToFloat((half_n + 127) << 23);
    return part * intBitsToFloat((int(n) - half_n + 127) << 23);
}

// ln x: with m from 1 / sqrt 2 to sqrt 2, f = m - 1 and s = f / (2 + f), ln m = f - f^2 / 2 + s (f^2 / 2 + R(s^2)).
float log_of(float x) {
    int bits = floatBitsToInt(x);
    if (is_nan_of(x) || bits == 0x7f800000) {
        return x;
    }
    if ((bits & 0x7fffffff) < 0x00800000) {
        return -INFINITE;
    }
    if (bits < 0) {
        return NO_NUMBER;
    }
    float mantissa = intBitsToFloat((bits & 0x007fffff) | 0x3f800000);
    bool upper = mantissa > 1.41421354;
    float n = float((bits >> 23) - 127 + int(upper));
    PRECISE float f = (upper ? 0.5 * mantissa : mantissa) - 1.0;
    PRECISE float half_square = 0.5 * f * f;
    PRECISE float s = f / (2.0 + f);
    PRECISE float z = s * s;
    PRECISE float w = z * z;
    PRECISE float even = z * (0.66666662693 + w * 0.28498786688);
    PRECISE float odd = w * (0.40000972152 + w * 0.24279078841);
    PRECISE float r = s * (half_square + (even + odd));
    PRECISE float rest = half_square - (r + n * 9.0580006145e-6);
    rest = rest - f;
    return n * 6.9313812256e-1 - rest;
}

// The upper half of the product of 32-bit integers.
uint product_high(uint a, uint b) {
    uint al = a & 0xffffu, ah = a >> 16, bl = b & 0xffffu, bh = b >> 16;
    uint middle = ah * bl + (al * bl >> 16);
    uint other = al * bh + (middle & 0xffffu);
    return ah * bh + (middle >> 16) + (other >> 16);
}

// The bits of 2 / pi behind the point, after 64 zeros, in words of 32.
uint bits_of_2_over_pi(int word) {
    return word < 2 ? 0u : word == 2 ? 0xa2f9836eu : word == 3 ? 0x4e441529u : word == 4 ? 0xfc2757d1u
        : word == 5 ? 0xf534ddc0u : word == 6 ? 0xdb629599u : 0x3c439041u;
}

uint window_of_2_over_pi(int word, int shift) {
    uint left = bits_of_2_over_pi(word);
    return shift == 0 ? left : (left << shift) | (bits_of_2_over_pi(word + 1) >> (32 - shift));
}

// x from 0.5 on as a multiple of pi / 2, modulo 4, and a rest of at most pi / 4: the mantissa times those 96 bits of 2 / pi
// that decide about the last two bits of the whole part and the 62 behind the point.
float rest_of_quadrant(float x, out int quadrant) {
    int bits = floatBitsToInt(x);
    uint mantissa = uint((bits & 0x007fffff) | 0x00800000) << 8;
    int offset = (bits >> 23) - 127 + 31;
    int word = offset >> 5;
    int shift = offset & 31;
    uint first = window_of_2_over_pi(word, shift);
    uint second = window_of_2_over_pi(word + 1, shift);
    uint third = window_of_2_over_pi(word + 2, shift);
    uint low = mantissa * second + product_high(mantissa, third);
    uint carry = low < mantissa * second ? 1u : 0u;
    uint high = mantissa * first + product_high(mantissa, second) + carry;
    quadrant = int(high >> 30);
    high = high & 0x3fffffffu;
    bool above = high >= 0x20000000u;
    if (above) {
        quadrant = (quadrant + 1) & 3;
        low = ~low + 1u;
        high = (0x3fffffffu - high) + (low == 0u ? 1u : 0u);
    }
    PRECISE float part = float(high) * 9.31322575e-10 + float(low) * 2.16840434e-19;
    PRECISE float rest = part * 1.57079637;
    return above ? -rest : rest;
}

// The sine of x plus a multiple of pi / 2.
float sin_of_sum(float x, int quarters) {
    if (is_nan_of(x) || abs(x) == INFINITE) {
        return NO_NUMBER;
    }
    int quadrant = 0;
    float r = x;
    if (abs(x) > 0.785) {
        r = rest_of_quadrant(abs(x), quadrant);
        r = x < 0.0 ? -r : r;
        quadrant = x < 0.0 ? -quadrant : quadrant;
    }
    quadrant = (quadrant + quarters) & 3;
    PRECISE float z = r * r;
    PRECISE float sine = -1.9515295891e-4 * z + 8.3321608736e-3;
    sine = sine * z + -1.6666654611e-1;
    sine = sine * (z * r) + r;
    PRECISE float cosine = 2.443315711809948e-5 * z + -1.388731625493765e-3;
    cosine = cosine * z + 4.166664568298827e-2;
    cosine = cosine * (z * z) + -0.5 * z;
    cosine = cosine + 1.0;
    float value = (quadrant & 1) == 0 ? sine : cosine;
    return quadrant >= 2 ? -value : value;
}

float sin_of(float x) { return sin_of_sum(x, 0); }
float cos_of(float x) { return sin_of_sum(x, 1); }

float tanh_of(float x) {
    float size = abs(x);
    if (is_nan_of(x) || size < 0.625) {
        PRECISE float z = x * x;
        PRECISE float p = -5.70498872745e-3 * z + 2.06390887954e-2;
        p = p * z + -5.37397155531e-2;
        p = p * z + 1.33314422036e-1;
        p = p * z + -3.33332819422e-1;
        return p * (z * x) + x;
    }
    float value = size > 9.5 ? 1.0 : 1.0 - 2.0 / (exp_of(2.0 * size) + 1.0);
    return x < 0.0 ? -value : value;
}

float integer_power_of(float x, int n) {
    float base = n < 0 ? 1.0 / x : x;
    float power = 1.0;
    for (int rest = abs(n); rest > 0; rest >>= 1) {
        power = (rest & 1) == 1 ? power * base : power;
        base = base * base;
    }
    return power;
}

// As C's pow: 1^y and x^0 are 1, also of a NaN; a negative number has powers to integers alone.
float power_of(float x, float y) {
    if (x == 1.0 || y == 0.0) {
        return 1.0;
    }
    if (is_nan_of(x) || is_nan_of(y)) {
        return NO_NUMBER;
    }
    float size = abs(x);
    // Each float from 2^24 on is an even number.
    bool whole = y == floor(y);
    bool odd = whole && abs(y) < 16777216.0 && (int(y) & 1) == 1;
    if (abs(y) == INFINITE) {
        return size == 1.0 ? 1.0 : (size > 1.0) == (y > 0.0) ? INFINITE : 0.0;
    }
    bool zero = (floatBitsToInt(size) < 0x00800000);
    if (floatBitsToInt(x) < 0 && !whole && !zero && size != INFINITE) {
        return NO_NUMBER;
    }
    float value = zero ? (y < 0.0 ? INFINITE : 0.0)
        : size == INFINITE ? (y < 0.0 ? 0.0 : INFINITE) : exp_of(y * log_of(size));
    return odd && floatBitsToInt(x) < 0 ? -value : value;
}
