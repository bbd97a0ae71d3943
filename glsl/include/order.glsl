// Provides  order_of(x)   a whole number that orders as floats do. Devices may compare denormals as zeros, which it does not; -0 is 0, and of NaN
//                         is_nan_of (include/nan.glsl) is asked first
int order_of(float x) {
    int bits = floatBitsToInt(x);
    return bits < 0 ? -(bits & 0x7fffffff) : bits;
}
