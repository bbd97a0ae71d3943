// Where in a result the numbers of each entry begin: an entry is a class and a block, and entries stand by classes and then by blocks.
//
// Inputs    starts, the exclusive scan of how many numbers each has, and shift_of_starts, the exponent of a row's length; entries
// Provides  start_of(entry)
//           entry_of(place, low, high)   the last entry from `low` on, and below `high`, that begins at the place or before it
uniform usampler2D starts;
uniform int shift_of_starts;
uniform uint entries;

uint start_of(uint entry) {
    int texel = int(entry >> 2);
    return READ(starts, ivec2(texel & ((1 << shift_of_starts) - 1), texel >> shift_of_starts))[entry & 3u];
}

uint entry_of(uint place, uint low, uint high) {
    while (high - low > 1u) {
        uint middle = (low + high) >> 1;
        if (start_of(middle) <= place) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}
