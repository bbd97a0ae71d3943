// A reduction of the texels of `x` by work groups, each to one result: for shaders that dispatch square groups.
//
// Each invocation joins texels that are as far apart as there are invocations along x and along y, several rows at a time so
// that several fetches are under way; a group then halves its results until one is left. The order depends on the extents
// alone, so repeated runs give identical bits. Work groups are square: on an NVIDIA H200 groups of one row were slower.
//
// Requires  x, result_at(place)     the result of a texel
//           RESULT, NONE, JOIN(a, b)   the type of a result, that of no texels, and two results as one
// Defines   SIDE                    a power of two, the invocations of a group along x and along y
//           LOADS                   the rows at a time: 2, 4 or 8; 4 if it is not defined
//           EXTENT                  of the texels that are reduced, if not all of x
//           TO_HOST                 results go to a buffer that the host reads, else to an image of a texel for each group
// Provides  of_group()              the result of the group, in its first invocation
//           PLACE_OF_GROUP          where it goes in the buffer
// Source: Harris, "Optimizing Parallel Reduction in CUDA" (2007).
#define PLACE_OF_GROUP (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x)
#ifndef EXTENT
#define EXTENT textureSize(x, 0)
#endif
#ifndef LOADS
#define LOADS 4
#endif
shared RESULT parts[SIDE * SIDE];

#define TWICE(rows, half_of, n) RESULT rows(ivec2 p, ivec2 next) { return JOIN(half_of(p, next), half_of(p + n * next, next)); }
RESULT rows_1(ivec2 p, ivec2 next) { return result_at(p); }
TWICE(rows_2, rows_1, 1)
TWICE(rows_4, rows_2, 2)
TWICE(rows_8, rows_4, 4)
#if LOADS == 8
#define SEVERAL rows_8
#elif LOADS == 4
#define SEVERAL rows_4
#else
#define SEVERAL rows_2
#endif

RESULT of_column(ivec2 place, int stride, int rows) {
    RESULT total = NONE;
    ivec2 next = ivec2(0, stride);
    for (; place.y + (LOADS - 1) * stride < rows; place += LOADS * next) {
        total = JOIN(total, SEVERAL(place, next));
    }
    for (; place.y < rows; place += next) {
        total = JOIN(total, result_at(place));
    }
    return total;
}

RESULT of_group() {
    ivec2 size = EXTENT;
    ivec2 stride = ivec2(gl_NumWorkGroups.xy) * SIDE;
    ivec2 place = ivec2(gl_GlobalInvocationID.xy);
    RESULT total = NONE;
    for (; place.x < size.x; place.x += stride.x) {
        total = JOIN(total, of_column(place, stride.y, size.y));
    }
    uint own = gl_LocalInvocationIndex;
    parts[own] = total;
    barrier();
    for (uint reach = uint(SIDE * SIDE / 2); reach > 0u; reach >>= 1) {
        if (own < reach) {
            parts[own] = JOIN(parts[own], parts[own + reach]);
        }
        barrier();
    }
    return parts[0];
}
