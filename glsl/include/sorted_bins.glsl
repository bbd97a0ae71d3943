// Bins in their order, which are searched by halves.
//
// Inputs    sorted_bins, four in a texel; length_of_panel; shift, the exponent of a row's length
// Provides  place_of(at), the texel of a number; first_from(bin), how many are less than this bin
uniform usampler2D sorted_bins;
uniform int length_of_panel, shift;

ivec2 place_of(int at) {
    int texel = at >> 2;
    return ivec2(texel & ((1 << shift) - 1), texel >> shift);
}

int first_from(uint bin) {
    int low = 0;
    int high = length_of_panel;
    while (low < high) {
        int middle = (low + high) >> 1;
        if (READ(sorted_bins, place_of(middle))[middle & 3] < bin) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}
