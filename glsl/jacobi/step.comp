// One Jacobi step by a compute shader, for any texel of any layout. GPUs give compute shaders more of their processors
// than fragment shaders. The ends of rows are found by comparing integers.
// Defines: GROUP_X, GROUP_Y; FORMAT, the texel of x.
// TILE: a work group first reads its part of x and the border of it into shared memory.
// PANELS: the bands of the packed layout are ten panels side by side, each as wide as x, so that neighbouring
// invocations read neighbouring texels.
// Inputs: x and its size, the bands, b (include/nine_bands.glsl); `part` and `extent`, where the texels that are computed begin, and
// how many there are; `last`, the lane of a row's last unknown in its last texel (LAYOUT_PACKED only). Output: the image `next`.
// Source: Goeddeke, "GPGPU Performance Tuning" (2005); compute shaders (GL 4.3, 2012) postdate it.
layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;
layout(binding = 0, FORMAT) uniform writeonly highp image2D next;
uniform ivec2 size; // of x: a uniform is read faster than the size of a texture
uniform ivec2 part;
uniform ivec2 extent;

#undef TEXEL
#define TEXEL ivec2(gl_GlobalInvocationID.xy)
#define PLACE (part + TEXEL)
#define BAND(image) READ(image, PLACE)
#ifdef PANELS
#define BAND_OF(k) READ(bands, ivec2(k * size.x + PLACE.x, PLACE.y))
#else
#define BAND_OF(k) READ(bands, ivec2(10 * PLACE.x + k, PLACE.y))
#endif
#include "include/nine_bands.glsl"
#ifdef LAYOUT_PACKED
uniform int last;
#include "include/lanes.glsl"
#endif

#define SIZE size
#define CORNER part
#define WRAPS
#include "include/nine_neighbours.glsl"

vec4 four(float number) { return vec4(number, 0.0, 0.0, 1.0); }
vec4 four(vec4 number) { return number; }

void main() {
#ifdef TILE
    fill_tile();
#endif
    if (all(lessThan(TEXEL, extent))) {
        imageStore(next, PLACE, four(relax(row_at(-1), row_at(0), row_at(1))));
    }
}
