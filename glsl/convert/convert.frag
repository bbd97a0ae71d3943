// The numbers of a vector in another type, and how many of each texel that type does not hold. By whole numbers alone: what a device rounds or
// flushes to zero is not asked.
// Defines: NUMBER_FLOAT, NUMBER_INT or NUMBER_UINT, the type that they become; FROM_FLOAT, FROM_INT or FROM_UINT, that which they have.
// Input: numbers. Outputs: result; inexact.
#include "include/number.glsl"
#include "include/number_target.glsl"
layout(location = 1) out int inexact;

#if defined(FROM_FLOAT)
uniform sampler2D numbers;
#elif defined(FROM_INT)
uniform isampler2D numbers;
#else
uniform usampler2D numbers;
#endif

struct Whole {
    bool negative;
    uint magnitude;
    bool exact;
};

Whole whole_of(float x) {
    uint bits = floatBitsToUint(x) & 0x7fffffffu;
    uint mantissa = bits & 0x7fffffu | 0x800000u;
    int power = int(bits >> 23) - 150;
    if (bits == 0u) return Whole(false, 0u, true);
    if (power > 8 || power < -23) return Whole(false, 0u, false);
    uint magnitude = power > 0 ? mantissa << power : mantissa >> -power;
    return Whole(floatBitsToInt(x) < 0, magnitude, power >= 0 || magnitude << -power == mantissa);
}

Whole whole_of(int x) { return Whole(x < 0, x < 0 ? ~uint(x) + 1u : uint(x), true); }

Whole whole_of(uint x) { return Whole(false, x, true); }

#if defined(NUMBER_FLOAT)
float number_of(Whole x) { return x.negative ? -float(x.magnitude) : float(x.magnitude); }

// The lowest and the highest bit that is set are less than 24 apart.
bool holds(Whole x) { return x.magnitude == 0u || x.magnitude / (x.magnitude & ~x.magnitude + 1u) < 0x1000000u; }
#elif defined(NUMBER_INT)
int number_of(Whole x) { return int(x.negative ? ~x.magnitude + 1u : x.magnitude); }

bool holds(Whole x) { return x.magnitude < 0x80000000u || x.negative && x.magnitude == 0x80000000u; }
#else
uint number_of(Whole x) { return x.magnitude; }

bool holds(Whole x) { return !x.negative; }
#endif

int wrong;

NUMBER converted(Whole x) {
    if (x.exact && holds(x)) return number_of(x);
    wrong++;
    return NUMBER(0);
}

void main() {
    wrong = 0;
    NUMBER x = converted(whole_of(READ(numbers, TEXEL).x)), y = converted(whole_of(READ(numbers, TEXEL).y));
    NUMBER z = converted(whole_of(READ(numbers, TEXEL).z)), w = converted(whole_of(READ(numbers, TEXEL).w));
    result = FOUR(x, y, z, w);
    inexact = wrong;
}
