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

uint bin_of(float x) {
    int last = int(bins) - 1;
    float from = edge_at(0);
    if (is_nan_of(x) || x < from || x > edge_at(last + 1)) {
        return bins;
    }
    // Rounding leads at most to a neighbour, since edges differ.
    int bin = clamp(int((x - from) * scale), 0, last);
    if (bin > 0 && x < edge_at(bin)) {
        bin--;
    } else if (bin < last && x >= edge_at(bin + 1)) {
        bin++;
    }
    return uint(bin);
}
#else
uint bin_of(NUMBER x) { return min(uint(x), bins); }
#endif
