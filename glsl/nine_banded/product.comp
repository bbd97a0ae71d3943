// A x of a nine-banded matrix, or b - A x, and the dot product or the direction of a step with it. It shares x by tiles as jacobi/step.comp
// does.
// Defines: GROUP_X, GROUP_Y; TILE; DOT to add up x . A x too; those of include/nine_product.glsl.
// Inputs: those of include/nine_product.glsl, and the extent of x. Outputs: the image `value`; the image `sums`, a texel of four parts for each work group
// (DOT); the image `direction`, the x of the product (DIRECTION).
layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;
layout(binding = 0, rgba32f) uniform writeonly highp image2D value;
#ifdef DOT
layout(binding = 1, rgba32f) uniform writeonly highp image2D sums;
#endif
#ifdef DIRECTION
layout(binding = 2, rgba32f) uniform writeonly highp image2D direction;
#endif
uniform ivec2 part;
uniform ivec2 extent;
uniform ivec2 size; // of x: a uniform is read faster than the size of a texture
#undef TEXEL
#define TEXEL ivec2(gl_GlobalInvocationID.xy)
#define SIZE size
#include "include/nine_product.glsl"

#ifdef DOT
#include "include/group_sum.glsl"
#endif

void main() {
#ifdef DIRECTION
    read_beta();
#endif
#ifdef TILE
    fill_tile();
#endif
    vec4 products = vec4(0.0);
    if (all(lessThan(TEXEL, extent))) {
        vec4 result = product();
        imageStore(value, part + TEXEL, result);
#ifdef DIRECTION
        imageStore(direction, part + TEXEL, beside(0, 0));
#endif
        products = beside(0, 0) * result;
    }
#ifdef DOT
    add_up(products);
#endif
}
