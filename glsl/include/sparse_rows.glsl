// The products of four rows of a sparse matrix with x, and what becomes of them.
//
// Defines   STRIDE             the texels from one entry of a row to the next
//           KEEPS              the old result counts too: the uniform beta
// Requires  VALUES(at)         a texel of entries, one of each row
//           ADDRESSES(at)      where the numbers are that they are multiplied by
//           NUMBER_AT(address) such a number
// Provides  sums_of(line)      the sums of rows whose first texel is line.x, with line.y entries at most
//           result_of(sums, old)   alpha times the sums, and beta times the old result
uniform float alpha;
#ifdef KEEPS
uniform float beta;
#define result_of(sums, old) (alpha * (sums) + beta * (old))
#else
#define result_of(sums, old) (alpha * (sums))
#endif

vec4 numbers_at(uvec4 four) {
    return vec4(NUMBER_AT(four.x), NUMBER_AT(four.y), NUMBER_AT(four.z), NUMBER_AT(four.w));
}

#define TERMS(at) VALUES(at) * numbers_at(ADDRESSES(at))

vec4 sums_of(uvec4 line) {
    vec4 sums = vec4(0.0);
    int at = int(line.x);
    int left = int(line.y);
    // Unrolled: what a loop costs beside fetches is most of it on llvmpipe, and hardware reads several texels at once.
    for (; left >= 4; left -= 4, at += 4 * STRIDE) {
        sums += TERMS(at);
        sums += TERMS(at + STRIDE);
        sums += TERMS(at + 2 * STRIDE);
        sums += TERMS(at + 3 * STRIDE);
    }
    for (; left > 0; left--, at += STRIDE) {
        sums += TERMS(at);
    }
    return sums;
}
