// The texels of a vector that a scan reads: row by row, in rows of a power of two.
//
// Requires  include/scan.glsl
// Inputs    x; starts with SEGMENTED: what is not zero starts a segment; shift, the exponent of a row's length; texels, the
//           number of texels that have numbers
// Provides  items_of(index)   the four items of a texel, NONE where the vector has ended
//           total_of(items)   the four as one
uniform SAMPLER x;
#ifdef SEGMENTED
uniform usampler2D starts;
#endif
uniform int shift, texels;

struct Items { Item a, b, c, d; };
#define NONE ITEM(IDENTITY, false)

ivec2 place_of(int index) { return ivec2(index & ((1 << shift) - 1), index >> shift); }

Items items_of(int index) {
    if (index >= texels) {
        return Items(NONE, NONE, NONE, NONE);
    }
    FOUR numbers = READ(x, place_of(index));
#ifdef SEGMENTED
    uvec4 flags = READ(starts, place_of(index));
#endif
    return Items(ITEM(numbers.x, flags.x != 0u), ITEM(numbers.y, flags.y != 0u), ITEM(numbers.z, flags.z != 0u),
        ITEM(numbers.w, flags.w != 0u));
}

Item total_of(Items items) { return join(join(items.a, items.b), join(items.c, items.d)); }
