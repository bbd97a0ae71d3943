// The classes of the numbers of a panel, as parts/classes.frag packs them: 4 bits each, 32 in a texel, of which two are a block.
//
// Inputs    class_words; shift_of_words, the exponent of a row's length; length_of_panel, the numbers of the panel
// Provides  members_of(texel, own)   a bit for each number of class `own`, the lowest of its four
//           number_of(members)       how many bits there are in each word
uniform usampler2D class_words;
uniform int shift_of_words, length_of_panel;

uvec4 members_of(int texel, uint own) {
    uvec4 others = READ(class_words, ivec2(texel & ((1 << shift_of_words) - 1), texel >> shift_of_words)) ^ (own * 0x11111111u);
    others |= others >> 1;
    others |= others >> 2;
    uvec4 members = ~others & 0x11111111u;
    for (int k = 0; k < 4; k++) {
        // What stands behind the panel's end is of no class.
        int left = length_of_panel - 32 * texel - 8 * k;
        members[k] &= left < 8 ? (1u << (4 * max(left, 0))) - 1u : 0xffffffffu;
    }
    return members;
}

// The upper four bits of the product are the sum of all.
uvec4 number_of(uvec4 members) { return (members * 0x11111111u) >> 28; }
