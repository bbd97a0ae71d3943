// The same by a compute shader. It shares x by tiles as jacobi/step.comp does.
// Defines: GROUP_X, GROUP_Y; TILE; those of include/nine_product.glsl. Inputs: the same, and the extent of x. Output: the image `value`.
layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;
layout(binding = 0, rgba32f) uniform writeonly highp image2D value;
uniform ivec2 corner;
uniform ivec2 owned;
uniform ivec2 size; // of x: a uniform is read faster than the size of a texture
#undef TEXEL
#define TEXEL ivec2(gl_GlobalInvocationID.xy)
#define SIZE size
#include "include/nine_product.glsl"

void main() {
#ifdef TILE
    fill_tile();
#endif
    if (all(lessThan(TEXEL, owned))) {
        imageStore(value, corner + TEXEL, product());
    }
}
