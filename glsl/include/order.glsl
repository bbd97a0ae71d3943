// Floats by their bits, since devices may compare denormals as zeros. Of NaN is_nan_of (include/nan.glsl) is asked first.
//
// Provides  order_of(x)      a whole number that orders as floats do, where -0 is 0
//           is_less(a, b)    whether a stands before b, where -0 stands before 0; of equal numbers it says either
int order_of(float x) {
    int bits = floatBitsToInt(x);
    return bits < 0 ? -(bits & 0x7fffffff) : bits;
}

// Of two negative numbers the one with the greater bits is the less.
bool is_less(float a, float b) {
    int of_a = floatBitsToInt(a);
    int of_b = floatBitsToInt(b);
    return (of_a < of_b) != ((of_a & of_b) < 0);
}
