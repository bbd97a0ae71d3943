// The same by a compute shader: all of `x` into the bits and the index for each work group.
// Defines: those of include/groups.glsl. Input: x. Output: `part`, an image of as many texels as there are groups, or a
// buffer.
layout(local_size_x = SIDE, local_size_y = SIDE) in;
#ifdef TO_HOST
layout(std430, binding = 0) writeonly buffer Part { uvec4 part[]; };
#else
layout(binding = 0, rgba32ui) uniform writeonly highp uimage2D part;
#endif
#include "include/largest.glsl"

uvec2 result_at(ivec2 place) { return part_at(place); }

// The result of no texels is less than every number: it has the last index.
#define RESULT uvec2
#define NONE uvec2(0u, 0xffffffffu)
#define JOIN(a, b) larger(a, b)
#include "include/groups.glsl"

void main() {
    uvec4 result = uvec4(of_group(), 0u, 0u);
    if (gl_LocalInvocationIndex == 0u) {
#ifdef TO_HOST
        part[PLACE_OF_GROUP] = result;
#else
        imageStore(part, ivec2(gl_WorkGroupID.xy), result);
#endif
    }
}
