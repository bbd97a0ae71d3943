// One stage of a reduction by a compute shader: all of `x` into a texel for each work group.
//
// Each invocation adds texels that are as far apart as there are invocations along x and along y, four rows at a time so
// that four fetches are under way; a group then halves its results until one is left. The order depends on the extents
// alone, so repeated runs give identical bits. Work groups are square: on an NVIDIA H200 groups of one row were slower.
// Defines: SIDE, a power of two, the invocations of a group along x and along y; those of include/fold.glsl.
// Inputs: x, and y for MAP_PRODUCT. Output: the image `folded`, of as many texels as there are groups.
// Source: Harris, "Optimizing Parallel Reduction in CUDA" (2007).
layout(local_size_x = SIDE, local_size_y = SIDE) in;
layout(binding = 0, rgba32f) uniform writeonly highp image2D folded;
#include "include/fold.glsl"

uniform sampler2D x;
#ifdef SECOND
uniform sampler2D y;
#endif
shared NUMBER parts[SIDE * SIDE];

NUMBER number_at(int column, int row) {
    ivec2 place = ivec2(column, row);
#ifdef SECOND
    return number_of(READ(x, place), READ(y, place));
#else
    return number_of(READ(x, place));
#endif
}

NUMBER column_from(int column, int row, int stride, int rows) {
    NUMBER total = NOTHING;
    for (; row + 3 * stride < rows; row += 4 * stride) {
        NUMBER first = COMBINE(number_at(column, row), number_at(column, row + stride));
        NUMBER second = COMBINE(number_at(column, row + 2 * stride), number_at(column, row + 3 * stride));
        total = COMBINE(total, COMBINE(first, second));
    }
    for (; row < rows; row += stride) {
        total = COMBINE(total, number_at(column, row));
    }
    return total;
}

void main() {
    ivec2 size = textureSize(x, 0);
    ivec2 stride = ivec2(gl_NumWorkGroups.xy) * SIDE;
    ivec2 first = ivec2(gl_GlobalInvocationID.xy);
    NUMBER total = NOTHING;
    for (int column = first.x; column < size.x; column += stride.x) {
        total = COMBINE(total, column_from(column, first.y, stride.y, size.y));
    }
    uint own = gl_LocalInvocationIndex;
    parts[own] = total;
    barrier();
    for (uint reach = uint(SIDE * SIDE / 2); reach > 0u; reach >>= 1) {
        if (own < reach) {
            parts[own] = COMBINE(parts[own], parts[own + reach]);
        }
        barrier();
    }
    if (own == 0u) {
        imageStore(folded, ivec2(gl_WorkGroupID.xy), four(parts[0]));
    }
}
