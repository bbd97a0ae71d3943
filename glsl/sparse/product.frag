// alpha A x + beta y of a sparse matrix A, four rows in a texel of the result.
//
// Defines: those of include/sparse_rows.glsl. Inputs: lines, for each texel of the result the texel of its first entries and the
// number of these; values and addresses, the entries of each such texel in a row; numbers, x and what else addresses mean, one in a
// texel; the exponents of the lengths of rows of both; alpha, beta and old, the result before (KEEPS). Output: result.
uniform usampler2D lines, addresses;
uniform sampler2D values, numbers;
uniform int shift_of_entries, shift_of_numbers;
#ifdef KEEPS
uniform sampler2D old;
#endif
out vec4 result;

ivec2 place_of(int index, int shift) { return ivec2(index & ((1 << shift) - 1), index >> shift); }

#define VALUES(at) READ(values, place_of(at, shift_of_entries))
#define ADDRESSES(at) READ(addresses, place_of(at, shift_of_entries))
#define NUMBER_AT(address) READ(numbers, place_of(int(address), shift_of_numbers)).r
#include "include/sparse_rows.glsl"

void main() {
    result = result_of(sums_of(READ(lines, TEXEL)), READ(old, TEXEL));
}
