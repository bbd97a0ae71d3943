// The products of rows of a sparse matrix with x.
//
// Defines   STRIDE             the texels from one entry of a row to the next
//           SUM                what is added up: a float, or a vec4 of four rows
// Requires  TERM(at)           the product of an entry, or of a texel of entries, with numbers of x
// Provides  sum_of(line)       the sum of what begins at line.x, of line.y terms
SUM sum_of(uvec4 line) {
    SUM sum = SUM(0.0);
    int at = int(line.x);
    int left = int(line.y);
    // Unrolled: what a loop costs beside fetches counts on llvmpipe, and hardware reads several texels at once.
    for (; left >= 4; left -= 4, at += 4 * STRIDE) {
        sum += TERM(at);
        sum += TERM(at + STRIDE);
        sum += TERM(at + 2 * STRIDE);
        sum += TERM(at + 3 * STRIDE);
    }
    for (; left > 0; left--, at += STRIDE) {
        sum += TERM(at);
    }
    return sum;
}
