// One Jacobi step by a compute shader, for any texel of any layout. GPUs give compute shaders more of their processors
// than fragment shaders. The ends of rows are found by comparing integers.
// Defines: GROUP_X, GROUP_Y; FORMAT, the texel of x.
// Inputs: x, the bands, b (include/nine_bands.glsl); `last`, the lane of a row's last unknown in
// its last texel (LAYOUT_PACKED only). Output: the image `next`.
// Source: Goeddeke, "GPGPU Performance Tuning" (2005); compute shaders (GL 4.3, 2012) postdate it.
layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;
layout(binding = 0, FORMAT) uniform writeonly highp image2D next;

#undef TEXEL
#define TEXEL ivec2(gl_GlobalInvocationID.xy)
#define BAND(image) READ(image, TEXEL)
#define BAND_OF(k) READ(bands, ivec2(10 * TEXEL.x + k, TEXEL.y))
#include "include/nine_bands.glsl"
#ifdef LAYOUT_PACKED
uniform int last;
#include "include/lanes.glsl"
#endif

NUMBER at(ivec2 place) { return READ_CLAMPED(x, place).PART; }

Row row_at(int step) {
    ivec2 place = TEXEL + ivec2(0, step);
    int end = textureSize(x, 0).x - 1;
    bool wraps_left = place.x == 0;
    bool wraps_right = place.x == end;
    NUMBER left = at(wraps_left ? ivec2(end, place.y - 1) : place - ivec2(1, 0));
    NUMBER right = at(wraps_right ? ivec2(0, place.y + 1) : place + ivec2(1, 0));
#ifdef LAYOUT_PACKED
    return row_of_lanes(left, at(place), right, wraps_left, wraps_right);
#else
    return row(left, at(place), right);
#endif
}

vec4 four(float number) { return vec4(number, 0.0, 0.0, 1.0); }
vec4 four(vec4 number) { return number; }

void main() {
    if (all(lessThan(TEXEL, textureSize(x, 0)))) {
        imageStore(next, TEXEL, four(relax(row_at(-1), row_at(0), row_at(1))));
    }
}
