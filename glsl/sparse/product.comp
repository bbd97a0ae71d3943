// The same by a compute shader, with an invocation for each row: four beside each other have a line. Entries of lines beside each
// other alternate, and lines are in the order of their lengths.
//
// Defines: GROUP, a multiple of 4; STRIDE and KEEPS of include/sparse_rows.glsl and sparse_result.glsl. Inputs: Lines, with the texel of the result last; Values and
// Addresses, four in a texel; Numbers; count, the lines; shift, the exponent of the length of the result's rows; alpha, beta and old
// (KEEPS). Output: the image `result`.
layout(local_size_x = GROUP) in;
layout(std430, binding = 0) readonly buffer Lines { uvec4 lines[]; };
layout(std430, binding = 1) readonly buffer Values { float values[]; };
layout(std430, binding = 2) readonly buffer Addresses { uint addresses[]; };
layout(std430, binding = 3) readonly buffer Numbers { float numbers[]; };
layout(binding = 0, rgba32f) uniform writeonly highp image2D result;
uniform int count, shift;
#ifdef KEEPS
uniform sampler2D old;
#endif
shared float sums[GROUP];

#define SUM float
#define ROW int(gl_LocalInvocationIndex & 3u)
#define TERM(at) values[4 * (at) + ROW] * numbers[addresses[4 * (at) + ROW]]
#include "include/sparse_rows.glsl"
#include "include/sparse_result.glsl"

void main() {
    int own = int(gl_LocalInvocationIndex);
    int at = int(gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * (GROUP / 4) + own / 4;
    uvec4 line = at < count ? lines[at] : uvec4(0u);
    sums[own] = sum_of(line);
    barrier();
    if (ROW == 0 && at < count) {
        ivec2 place = ivec2(int(line.z) & ((1 << shift) - 1), int(line.z) >> shift);
        vec4 four = vec4(sums[own], sums[own + 1], sums[own + 2], sums[own + 3]);
        imageStore(result, place, result_of(four, READ(old, place)));
    }
}
