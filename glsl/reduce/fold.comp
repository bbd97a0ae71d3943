// One stage of a reduction by a compute shader: all of `x` into a texel for each work group.
//
// Defines: those of include/groups.glsl and of include/fold.glsl. Inputs: x, and y for MAP_PRODUCT. Output: `folded`, an
// image of as many texels as there are groups, or a buffer.
layout(local_size_x = SIDE, local_size_y = SIDE) in;
#ifdef TO_HOST
layout(std430, binding = 0) writeonly buffer Folded { vec4 folded[]; };
#else
layout(binding = 0, rgba32f) uniform writeonly highp image2D folded;
#endif
#include "include/fold.glsl"

uniform sampler2D x;
#ifdef SECOND
uniform sampler2D y;
#endif

#ifdef WINDOW
uniform ivec2 corner, extent;
#define EXTENT extent
#define PLACE_OF(place) (corner + place)
#else
#define PLACE_OF(place) place
#endif

NUMBER result_at(ivec2 place) {
#ifdef SECOND
    return number_of(READ(x, PLACE_OF(place)), READ(y, PLACE_OF(place)));
#else
    return number_of(READ(x, PLACE_OF(place)));
#endif
}

#define RESULT NUMBER
#define NONE NOTHING
#define JOIN(a, b) COMBINE(a, b)
#include "include/groups.glsl"

void main() {
    vec4 result = four(of_group());
    if (gl_LocalInvocationIndex == 0u) {
#ifdef TO_HOST
        folded[PLACE_OF_GROUP] = result;
#else
        imageStore(folded, ivec2(gl_WorkGroupID.xy), result);
#endif
    }
}
