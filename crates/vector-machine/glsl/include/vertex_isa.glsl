// The instructions of GL_NV_vertex_program 1.1 as functions, which translated programs call. Where PRECISE is the keyword,
// each rounds as its twin in src/vector_machine/assembly/simulator/; docs/vector-machine.md lists the rules that GLSL cannot
// promise.
//
// Defines   CONSTANTS   the number of constants, a literal; below, `uniform vec4 c[CONSTANTS]`
//           PERIOD      EXP and LOG within 2^-11, as on a GeForce4
// Functions vp_mul(a, b), vp_exp(x) ...   the result of an instruction, in every component
//           vp_address(x)                 the number that ARL loads
//           VP_RELATIVE(i)                c[i]; zeros where i is outside 0 to 95 or from CONSTANTS on
// Sources: the specification of GL_NV_vertex_program; log2: e_log2f.c and k_logf.h of FreeBSD's msun, after fdlibm (Sun,
// 1993); 2^x: exp2f.c of Cephes (Moshier).

#define VP_INFINITY intBitsToFloat(0x7f800000)

// Relative addressing reaches 96 constants, whatever their number.
#if CONSTANTS < 96
#define VP_REACH CONSTANTS
#else
#define VP_REACH 96
#endif
#define VP_RELATIVE(i) ((i) >= 0 && (i) < VP_REACH ? c[clamp(i, 0, VP_REACH - 1)] : vec4(0.0))

vec4 vp_mul(vec4 x, vec4 y) {
    PRECISE vec4 product = x * y;
    return product;
}

vec4 vp_add(vec4 x, vec4 y) {
    PRECISE vec4 sum = x + y;
    return sum;
}

vec4 vp_sub(vec4 x, vec4 y) {
    PRECISE vec4 difference = x - y;
    return difference;
}

vec4 vp_mad(vec4 x, vec4 y, vec4 z) {
    PRECISE vec4 product = x * y;
    PRECISE vec4 sum = product + z;
    return sum;
}

// Sums from x on, each step rounded, in all three components.
vec4 vp_dp3(vec4 x, vec4 y) {
    PRECISE vec4 product = x * y;
    PRECISE float sum = (product.x + product.y) + product.z;
    return vec4(sum);
}

vec4 vp_dp4(vec4 x, vec4 y) {
    PRECISE vec4 product = x * y;
    PRECISE float sum = ((product.x + product.y) + product.z) + product.w;
    return vec4(sum);
}

vec4 vp_dph(vec4 x, vec4 y) {
    PRECISE vec4 product = x * y;
    PRECISE float sum = ((product.x + product.y) + product.z) + y.w;
    return vec4(sum);
}

vec4 vp_dst(vec4 x, vec4 y) {
    PRECISE float product = x.y * y.y;
    return vec4(1.0, product, x.z, y.w);
}

vec4 vp_abs(vec4 x) {
    return abs(x);
}

// By comparison, which defines the result for a NaN: the built-in min and max leave it to the device.
vec4 vp_min(vec4 x, vec4 y) {
    PRECISE vec4 least = mix(y, x, lessThan(x, y));
    return least;
}

vec4 vp_max(vec4 x, vec4 y) {
    PRECISE vec4 most = mix(y, x, greaterThanEqual(x, y));
    return most;
}

vec4 vp_slt(vec4 x, vec4 y) {
    return vec4(lessThan(x, y));
}

vec4 vp_sge(vec4 x, vec4 y) {
    return vec4(greaterThanEqual(x, y));
}

// Numbers that are no address, NaN among them, become one that reads zeros.
int vp_address(float x) {
    return abs(x) < 1048576.0 ? int(floor(x)) : -1048576;
}

bool vp_is_nan(float x) {
    return (floatBitsToInt(x) & 0x7fffffff) > 0x7f800000;
}

vec4 vp_rcp(float x) {
    return vec4(1.0 / x);
}

// Magnitudes from 2^-64 to 2^64, with the sign of x. GLSL's clamp may turn a NaN into a number.
vec4 vp_rcc(float x) {
    if (vp_is_nan(x)) {
        return vec4(x);
    }
    float size = clamp(1.0 / abs(x), 5.421010862427522e-20, 18446744073709551616.0);
    return vec4(floatBitsToInt(x) < 0 ? -size : size);
}

vec4 vp_rsq(float x) {
    return vec4(inversesqrt(abs(x)));
}

// 2^n of an integer from -126 to 127, by the bits of its exponent.
float vp_whole_power(float n) {
    return intBitsToFloat((int(n) + 127) << 23);
}

// 2^x, which overflows only where the result does. The driver's exp2 may be a table.
float vp_power(float x) {
    if (vp_is_nan(x)) {
        return x;
    }
    if (x >= 128.0) {
        return VP_INFINITY;
    }
    if (x < -126.0) {
        return 0.0;
    }
    float n = floor(x + 0.5);
    PRECISE float r = x - n;
    PRECISE float p = 1.535336188319500e-4 * r + 1.339887440266574e-3;
    p = p * r + 9.618437357674640e-3;
    p = p * r + 5.550332471162809e-2;
    p = p * r + 2.402264791363012e-1;
    p = p * r + 6.931472028550421e-1;
    p = p * r + 1.0;
    // In two factors: 2^128 and 2^-127 have no bits of a normal number.
    PRECISE float power = n > 0.0 ? (2.0 * p) * vp_whole_power(n - 1.0) : (0.5 * p) * vp_whole_power(n + 1.0);
    return power;
}

// log2 of a mantissa near 1, plus an integer. The driver's log2 near 1 may have no correct digit. With f = m - 1 and
// s = f / (2 + f), ln m = f - f^2 / 2 + s (f^2 / 2 + R(s^2)); the larger part is cut to 12 bits, so that its product with
// 1 / ln 2, cut too, is exact.
float vp_log2_near_1(float m, float n) {
    PRECISE float f = m - 1.0;
    PRECISE float half_square = 0.5 * f * f;
    PRECISE float s = f / (2.0 + f);
    PRECISE float z = s * s;
    PRECISE float w = z * z;
    PRECISE float even = z * (0.66666662693 + w * 0.28498786688);
    PRECISE float odd = w * (0.40000972152 + w * 0.24279078841);
    PRECISE float r = s * (half_square + (even + odd));
    PRECISE float whole = f - half_square;
    PRECISE float high = intBitsToFloat(floatBitsToInt(whole) & -4096);
    PRECISE float low = (f - high) - half_square;
    PRECISE float rest = low + r;
    PRECISE float result = ((rest * -1.7605285393e-4 + high * -1.7605285393e-4) + rest * 1.4428710938)
        + high * 1.4428710938;
    PRECISE float sum = result + n;
    return sum;
}

// log2 of a mantissa from 1 to 2, plus an exponent. Above the root of 2 the mantissa is halved, so that numbers slightly
// below a power of 2 are near 1 too and nothing cancels.
float vp_log2_of(float mantissa, float exponent) {
    bool upper = mantissa > 1.41421354;
    return vp_log2_near_1(upper ? 0.5 * mantissa : mantissa, upper ? exponent + 1.0 : exponent);
}

float vp_exponent(float x) {
    return float((floatBitsToInt(x) >> 23) - 127);
}

float vp_mantissa(float x) {
    return intBitsToFloat((floatBitsToInt(x) & 0x007fffff) | 0x3f800000);
}

// The nearest multiple of 2^-11.
float vp_table_entry(float x) {
    PRECISE float entry = floor(x * 2048.0 + 0.5) * (1.0 / 2048.0);
    return entry;
}

vec4 vp_exp(float x) {
    if (vp_is_nan(x)) {
        return vec4(x, x, x, 1.0);
    }
    if (abs(x) == VP_INFINITY) {
        float power = x > 0.0 ? x : 0.0;
        return vec4(power, 0.0, power, 1.0);
    }
    float n = floor(x);
    PRECISE float rest = x - n;
    float whole = n > 127.0 ? VP_INFINITY : n < -126.0 ? 0.0 : vp_whole_power(clamp(n, -126.0, 127.0));
#ifdef PERIOD
    PRECISE float entry = n + vp_table_entry(rest);
    float power = vp_power(entry);
#else
    float power = vp_power(x);
#endif
    return vec4(whole, rest, power, 1.0);
}

vec4 vp_log(float signed_x) {
    float x = abs(signed_x);
    if (vp_is_nan(x)) {
        return vec4(x, x, x, 1.0);
    }
    // A denormal counts as 0, whether or not the device keeps it.
    if (floatBitsToInt(x) < 0x00800000) {
        return vec4(-VP_INFINITY, 1.0, -VP_INFINITY, 1.0);
    }
    if (x == VP_INFINITY) {
        return vec4(x, 1.0, x, 1.0);
    }
    float exponent = vp_exponent(x);
    float mantissa = vp_mantissa(x);
#ifdef PERIOD
    float entry = vp_table_entry(mantissa);
#else
    float entry = mantissa;
#endif
    return vec4(exponent, mantissa, vp_log2_of(entry, exponent), 1.0);
}

// y^w of y >= 0, where 0^0 is 1, as is 1^NaN: 0 times anything is 0, also for the logarithms of 0 and 1. Any other
// number to the power NaN is NaN.
float vp_specular(float y, float w) {
    if (w == 0.0 || y == 1.0) {
        return 1.0;
    }
    if (vp_is_nan(w)) {
        return w;
    }
    if (floatBitsToInt(y) < 0x00800000) {
        return w > 0.0 ? 0.0 : VP_INFINITY;
    }
    if (y == VP_INFINITY) {
        return w > 0.0 ? VP_INFINITY : 0.0;
    }
    PRECISE float exponent = w * vp_log2_of(vp_mantissa(y), vp_exponent(y));
    return vp_power(exponent);
}

vec4 vp_lit(vec4 x) {
    float diffuse = x.x > 0.0 ? x.x : 0.0;
    float base = x.y > 0.0 ? x.y : 0.0;
    float exponent = vp_is_nan(x.w) ? x.w : clamp(x.w, -127.99609375, 127.99609375);
    return vec4(1.0, diffuse, x.x > 0.0 ? vp_specular(base, exponent) : 0.0, 1.0);
}
