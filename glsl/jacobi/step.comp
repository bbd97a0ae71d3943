// One Jacobi step by a compute shader, for any texel of any layout. GPUs give compute shaders more of their processors
// than fragment shaders. The ends of rows are found by comparing integers.
// Defines: GROUP_X, GROUP_Y; FORMAT, the texel of x.
// TILE: a work group first reads its part of x and the border of it into shared memory.
// PANELS: the bands of the packed layout are ten panels side by side, each as wide as x, so that neighbouring
// invocations read neighbouring texels.
// Inputs: x and its size, the bands, b (include/nine_bands.glsl); `last`, the lane of a row's last unknown in
// its last texel (LAYOUT_PACKED only). Output: the image `next`.
// Source: Goeddeke, "GPGPU Performance Tuning" (2005); compute shaders (GL 4.3, 2012) postdate it.
layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;
layout(binding = 0, FORMAT) uniform writeonly highp image2D next;
uniform ivec2 size; // of x: a uniform is read faster than the size of a texture

#undef TEXEL
#define TEXEL ivec2(gl_GlobalInvocationID.xy)
#define BAND(image) READ(image, TEXEL)
#ifdef PANELS
#define BAND_OF(k) READ(bands, ivec2(k * size.x + TEXEL.x, TEXEL.y))
#else
#define BAND_OF(k) READ(bands, ivec2(10 * TEXEL.x + k, TEXEL.y))
#endif
#include "include/nine_bands.glsl"
#ifdef LAYOUT_PACKED
uniform int last;
#include "include/lanes.glsl"
#endif

NUMBER at(ivec2 place) { return READ(x, clamp(place, ivec2(0), size - 1)).PART; }

// The texel at a place; beyond an end of a row it is in the row before or after.
NUMBER at_wrapped(ivec2 place) {
    if (place.x < 0) {
        place = ivec2(size.x - 1, place.y - 1);
    } else if (place.x >= size.x) {
        place = ivec2(0, place.y + 1);
    }
    return at(place);
}

#ifdef TILE
const ivec2 GROUP = ivec2(GROUP_X, GROUP_Y);
const int WIDTH = GROUP_X + 2;
const int ROOM = WIDTH * (GROUP_Y + 2);
shared NUMBER tile[ROOM];

void fill_tile() {
    ivec2 corner = ivec2(gl_WorkGroupID.xy) * GROUP - 1;
    for (int i = int(gl_LocalInvocationIndex); i < ROOM; i += GROUP_X * GROUP_Y) {
        tile[i] = at_wrapped(corner + ivec2(i % WIDTH, i / WIDTH));
    }
    barrier();
}

NUMBER beside(int i, int j) {
    ivec2 place = ivec2(gl_LocalInvocationID.xy) + ivec2(i + 1, j + 1);
    return tile[place.y * WIDTH + place.x];
}
#else
NUMBER beside(int i, int j) {
    ivec2 place = TEXEL + ivec2(i, j);
    return i == 0 ? at(place) : at_wrapped(place);
}
#endif

Row row_at(int j) {
#ifdef LAYOUT_PACKED
    bool wraps_left = TEXEL.x == 0;
    bool wraps_right = TEXEL.x == size.x - 1;
    return row_of_lanes(beside(-1, j), beside(0, j), beside(1, j), wraps_left, wraps_right);
#else
    return row(beside(-1, j), beside(0, j), beside(1, j));
#endif
}

vec4 four(float number) { return vec4(number, 0.0, 0.0, 1.0); }
vec4 four(vec4 number) { return number; }

void main() {
#ifdef TILE
    fill_tile();
#endif
    if (all(lessThan(TEXEL, size))) {
        imageStore(next, TEXEL, four(relax(row_at(-1), row_at(0), row_at(1))));
    }
}
