// One step of a probe, dispatched: as step.frag, into an image whose sides are multiples of 8.
// Inputs: old, trips, those of the work. Output: the image `next`.
// Define one of those of include/work.glsl.
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0, rgba32f) uniform writeonly highp image2D next;

#undef TEXEL
#define TEXEL ivec2(gl_GlobalInvocationID.xy)
#include "include/work.glsl"

void main() {
    imageStore(next, TEXEL, work(READ(old, TEXEL)));
}
