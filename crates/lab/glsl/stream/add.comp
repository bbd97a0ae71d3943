// The same by a dispatch, one texel an invocation.
// Inputs: x, amount. Output: the image `sum`.
layout(local_size_x = 1) in;
layout(binding = 0, rgba32f) uniform writeonly highp image2D sum;
uniform sampler2D x;
uniform float amount;
#undef TEXEL
#define TEXEL ivec2(gl_GlobalInvocationID.xy)

void main() {
    imageStore(sum, TEXEL, READ(x, TEXEL) + amount);
}
