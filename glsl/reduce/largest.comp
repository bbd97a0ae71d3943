// The same by a compute shader: all of `x` into a texel for each work group.
// Defines: SIDE, as in reduce/fold.comp. Input: x. Output: the image `part`, of as many texels as there are groups.
// Source: the access of reduce/fold.comp.
layout(local_size_x = SIDE, local_size_y = SIDE) in;
layout(binding = 0, rgba32ui) uniform writeonly highp uimage2D part;
#include "include/largest.glsl"
shared uvec2 parts[SIDE * SIDE];

void main() {
    ivec2 size = textureSize(x, 0);
    ivec2 stride = ivec2(gl_NumWorkGroups.xy) * SIDE;
    ivec2 first = ivec2(gl_GlobalInvocationID.xy);
    // Less than every number: it has the last index.
    uvec2 found = uvec2(0u, 0xffffffffu);
    for (int column = first.x; column < size.x; column += stride.x) {
        for (int row = first.y; row < size.y; row += stride.y) {
            found = larger(found, part_at(ivec2(column, row)));
        }
    }
    uint own = gl_LocalInvocationIndex;
    parts[own] = found;
    barrier();
    for (uint reach = uint(SIDE * SIDE / 2); reach > 0u; reach >>= 1) {
        if (own < reach) {
            parts[own] = larger(parts[own], parts[own + reach]);
        }
        barrier();
    }
    if (own == 0u) {
        imageStore(part, ivec2(gl_WorkGroupID.xy), uvec4(parts[0], 0u, 0u));
    }
}
