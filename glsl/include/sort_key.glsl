// Keys as whole numbers of the same order.
//
// Requires  include/number.glsl
// Defines   DESCENDING; BITS if a key is just the bits of a number, which are to be moved
// Provides  key_of(number)    -0 stands before 0, and NaN last, also if the order is descending
//           number_of(key)    the number of a key; of a NaN one NaN
#if defined(NUMBER_FLOAT)
#define TO_BITS(x) floatBitsToUint(x)
#define FROM_BITS(bits) uintBitsToFloat(bits)
uint ordered(uint bits) { return (bits & 0x80000000u) != 0u ? ~bits : bits | 0x80000000u; }
uint unordered(uint key) { return (key & 0x80000000u) != 0u ? key & 0x7fffffffu : ~key; }
#define IS_LAST(bits) ((bits & 0x7fffffffu) > 0x7f800000u)
#elif defined(NUMBER_INT)
#define TO_BITS(x) uint(x)
#define FROM_BITS(bits) int(bits)
uint ordered(uint bits) { return bits ^ 0x80000000u; }
uint unordered(uint key) { return key ^ 0x80000000u; }
#define IS_LAST(bits) false
#else
#define TO_BITS(x) (x)
#define FROM_BITS(bits) (bits)
uint ordered(uint bits) { return bits; }
uint unordered(uint key) { return key; }
#define IS_LAST(bits) false
#endif

#ifdef DESCENDING
#define TURNED(key) (~(key))
#else
#define TURNED(key) (key)
#endif

uint key_of(NUMBER x) {
    uint bits = TO_BITS(x);
#ifdef BITS
    return bits;
#else
    if (IS_LAST(bits)) {
        return 0xffffffffu;
    }
    return TURNED(ordered(bits));
#endif
}

NUMBER number_of(uint key) {
#ifdef BITS
    return FROM_BITS(key);
#else
#ifdef NUMBER_FLOAT
    if (key == 0xffffffffu) {
        return FROM_BITS(0x7fc00000u);
    }
#endif
    return FROM_BITS(unordered(TURNED(key)));
#endif
}
