// Provides  is_nan_of(x)    whether x is NaN, by its bits: Direct3D's compiler takes x != x for false, and isnan(x) may be off too
bool is_nan_of(float x) { return (floatBitsToInt(x) & 0x7fffffff) > 0x7f800000; }
