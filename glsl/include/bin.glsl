// The bin of a number: the number itself, or with RANGE the one between whose edges it is.
//
// Requires  include/number.glsl
// Defines   RANGE, of floats
// Inputs    bins, their number; with RANGE edges, one more, in four channels, shift_of_edges, the exponent of a row's length, and scale, the
//           bins over the whole range
// Provides  bin_of(x)   the bin, or `bins` if x is in none: a bin has its lower edge, and the last its upper too
uniform uint bins;
#ifdef RANGE
uniform sampler2D edges;
uniform int shift_of_edges;
uniform float scale;

float edge_at(int edge) {
    int texel = edge >> 2;
    return READ(edges, ivec2(texel & ((1 << shift_of_edges) - 1), texel >> shift_of_edges))[edge & 3];
}

// Whether x, by its order, stands before an edge.
bool before(int x, int edge) { return x < order_of(edge_at(edge)); }

// The last bin that does not begin behind x.
int searched(int x, int last) {
    int low = 0;
    int high = last;
    while (low < high) {
        int middle = (low + high + 1) >> 1;
        if (before(x, middle)) {
            high = middle - 1;
        } else {
            low = middle;
        }
    }
    return low;
}

uint bin_of(float number) {
    int last = int(bins) - 1;
    float from = edge_at(0);
    int x = order_of(number);
    if (is_nan_of(number) || x < order_of(from) || x > order_of(edge_at(last + 1))) {
        return bins;
    }
    // Rounding leads to a neighbour at most; and to any bin where a difference overflows, or is a denormal that a device takes for zero.
    int bin = clamp(int((number - from) * scale), 0, last);
    bool is_there = !(bin > 0 && before(x, bin)) && (bin == last || before(x, bin + 1));
    return uint(is_there ? bin : searched(x, last));
}
#else
uint bin_of(NUMBER x) { return min(uint(x), bins); }
#endif
