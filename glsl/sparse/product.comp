// The same by a compute shader, with an invocation for each line. Entries of lines beside each other alternate, and lines are in the
// order of their lengths.
//
// Defines: GROUP; those of include/sparse_rows.glsl. Inputs: Lines, with the texel of the result last; Values and Addresses; Numbers;
// count, the lines; shift, the exponent of the length of the result's rows; alpha, beta and old (KEEPS). Output: the image `result`.
layout(local_size_x = GROUP) in;
layout(std430, binding = 0) readonly buffer Lines { uvec4 lines[]; };
layout(std430, binding = 1) readonly buffer Values { vec4 values[]; };
layout(std430, binding = 2) readonly buffer Addresses { uvec4 addresses[]; };
layout(std430, binding = 3) readonly buffer Numbers { vec4 numbers[]; };
layout(binding = 0, rgba32f) uniform writeonly highp image2D result;
uniform int count, shift;
#ifdef KEEPS
uniform sampler2D old;
#endif

#define VALUES(at) values[at]
#define ADDRESSES(at) addresses[at]
#define NUMBER_AT(address) numbers[address >> 2][address & 3u]
#include "include/sparse_rows.glsl"

void main() {
    int at = int(gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * GROUP + int(gl_LocalInvocationIndex);
    if (at >= count) {
        return;
    }
    uvec4 line = lines[at];
    ivec2 place = ivec2(int(line.z) & ((1 << shift) - 1), int(line.z) >> shift);
    imageStore(result, place, result_of(sums_of(line), READ(old, place)));
}
