// Keys as whole numbers of the same order.
//
// Defines   one of NUMBER_FLOAT, NUMBER_INT, NUMBER_UINT; DESCENDING
// Provides  key_of(bits)    the key of a number, by its bits: -0 stands before 0, and NaN last, also if it is descending
//           bits_of(key)    the bits of the number of a key; of a NaN those of one NaN
#if defined(NUMBER_FLOAT)
uint ordered(uint bits) { return (bits & 0x80000000u) != 0u ? ~bits : bits | 0x80000000u; }
uint unordered(uint key) { return (key & 0x80000000u) != 0u ? key & 0x7fffffffu : ~key; }
#define IS_LAST(bits) ((bits & 0x7fffffffu) > 0x7f800000u)
#elif defined(NUMBER_INT)
uint ordered(uint bits) { return bits ^ 0x80000000u; }
uint unordered(uint key) { return key ^ 0x80000000u; }
#define IS_LAST(bits) false
#else
uint ordered(uint bits) { return bits; }
uint unordered(uint key) { return key; }
#define IS_LAST(bits) false
#endif

#ifdef DESCENDING
#define TURNED(key) (~(key))
#else
#define TURNED(key) (key)
#endif

uint key_of(uint bits) {
    if (IS_LAST(bits)) {
        return 0xffffffffu;
    }
    return TURNED(ordered(bits));
}

uint bits_of(uint key) {
#ifdef NUMBER_FLOAT
    if (key == 0xffffffffu) {
        return 0x7fc00000u;
    }
#endif
    return unordered(TURNED(key));
}
