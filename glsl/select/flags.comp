// The same by a compute shader, a texel an invocation. Defines: GROUP_X, GROUP_Y, and those of flags.frag. Output: flags.
layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;
layout(binding = 0, rgba32ui) uniform writeonly highp uimage2D flags;
#undef TEXEL
#define TEXEL ivec2(gl_GlobalInvocationID.xy)
#include "include/number.glsl"
#include "include/select.glsl"

void main() {
    if (all(lessThan(TEXEL, imageSize(flags)))) {
        imageStore(flags, TEXEL, kept(TEXEL, READ(numbers, TEXEL)));
    }
}
