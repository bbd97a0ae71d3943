// One stage of an exact sum of integers: FOLD x FOLD texels of `x` into one, as two limbs.
//
// A value is high * 65536 + low with 0 <= low < 65536. FOLD * FOLD lower limbs fit in 32 bits for FOLD up to 128; their
// carry is added to the upper limb once, at the end.
// Defines: FOLD; one of FROM_BYTES and FROM_INTEGERS for the first stage, or FROM_LIMBS.
// Input: x. Output: the limbs.

#if defined(FROM_BYTES)
uniform highp usampler2D x;
#else
uniform highp isampler2D x;
#endif
out ivec2 limbs;

ivec2 limbs_at(ivec2 place) {
#if defined(FROM_BYTES)
    return ivec2(0, int(READ(x, place).r));
#elif defined(FROM_INTEGERS)
    int number = READ(x, place).r;
    return ivec2(number >> 16, number & 0xffff);
#else
    return READ(x, place).rg;
#endif
}

void main() {
    ivec2 first = TEXEL * FOLD;
    ivec2 end = min(first + FOLD, textureSize(x, 0));
    ivec2 total = ivec2(0);
    for (int j = first.y; j < end.y; j++) {
        for (int i = first.x; i < end.x; i++) {
            total += limbs_at(ivec2(i, j));
        }
    }
    limbs = ivec2(total.x + (total.y >> 16), total.y & 0xffff);
}
