// alpha A x + beta y of a sparse matrix A, four rows in a texel of the result.
//
// Defines: STRIDE and KEEPS of include/sparse_rows.glsl and sparse_result.glsl. Inputs: lines, for each texel of the result the texel of its first entries and the
// number of these; values and addresses, the entries of each such texel in a row; numbers, x and what else addresses mean; the
// exponents of the lengths of rows of both; alpha, beta and old, the result before (KEEPS). Output: result.
uniform usampler2D lines, addresses;
uniform sampler2D values, numbers;
uniform int shift_of_entries, shift_of_numbers;
#ifdef KEEPS
uniform sampler2D old;
#endif
out vec4 result;

ivec2 place_of(int index, int shift) { return ivec2(index & ((1 << shift) - 1), index >> shift); }

float number_at(uint address) {
    vec4 four = READ(numbers, place_of(int(address >> 2), shift_of_numbers));
    uint lane = address & 3u;
    return lane < 2u ? (lane == 0u ? four.x : four.y) : (lane == 2u ? four.z : four.w);
}

vec4 numbers_at(uvec4 at) { return vec4(number_at(at.x), number_at(at.y), number_at(at.z), number_at(at.w)); }

#define SUM vec4
#define ENTRY(image, at) READ(image, place_of(at, shift_of_entries))
#define TERM(at) ENTRY(values, at) * numbers_at(ENTRY(addresses, at))
#include "include/sparse_rows.glsl"
#include "include/sparse_result.glsl"

void main() {
    result = result_of(sum_of(READ(lines, TEXEL)), READ(old, TEXEL));
}
