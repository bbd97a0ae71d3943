// The products of rows of a sparse matrix with x, and what becomes of them.
//
// Defines   STRIDE             the texels from one entry of a row to the next
//           KEEPS              the old result counts too: the uniform beta
//           SUM                what is added up: a float, or a vec4 of four rows
// Requires  TERM(at)           the product of an entry, or of a texel of entries, with numbers of x
// Provides  sum_of(line)       the sum of what begins at line.x, of line.y terms
//           result_of(sums, old)   alpha times the sums, and beta times the old result
uniform float alpha;
#ifdef KEEPS
uniform float beta;
#define result_of(sums, old) (alpha * (sums) + beta * (old))
#else
#define result_of(sums, old) (alpha * (sums))
#endif

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
