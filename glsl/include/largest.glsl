// The number of the largest magnitude, and its index: the first of several, and the first NaN if there is one.
//
// Magnitudes are compared as the bits of the floats, which order as the magnitudes do; those of denormal numbers too, on every
// device, and NaN stands above infinity.
// Defines   FROM_PARTS              x holds the results of an earlier stage
// Provides  part_at(place)          the bits and the index of the largest number of a texel
//           larger(a, b)            the larger of two, or the first of two equals

#ifdef FROM_PARTS
uniform highp usampler2D x;
#else
uniform sampler2D x;
#endif

uvec2 larger(uvec2 a, uvec2 b) {
    return b.x > a.x || (b.x == a.x && b.y < a.y) ? b : a;
}

uvec2 part_at(ivec2 place) {
#ifdef FROM_PARTS
    return READ(x, place).rg;
#else
    uvec4 bits = min(floatBitsToUint(READ(x, place)) & 0x7fffffffu, uvec4(0x7f800001u));
    uint most = max(max(bits.x, bits.y), max(bits.z, bits.w));
    uint lane = bits.x == most ? 0u : bits.y == most ? 1u : bits.z == most ? 2u : 3u;
    return uvec2(most, 4u * uint(place.y * textureSize(x, 0).x + place.x) + lane);
#endif
}
