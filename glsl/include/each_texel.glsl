// A kernel that computes each texel of its target by itself, as a fragment shader and as a compute shader.
//
// Defines   GROUP_X, GROUP_Y   the invocations of a group along x and y: the kernel is dispatched, and `extent` is that of the target
// Provides  WRITE(result)      to be called once, by every invocation, with the texel at TEXEL
#ifdef GROUP_X
layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;
layout(binding = 0, rgba32f) uniform writeonly highp image2D value;
uniform ivec2 extent;
#undef TEXEL
#define TEXEL ivec2(gl_GlobalInvocationID.xy)
#define WRITE(result) if (all(lessThan(TEXEL, extent))) { imageStore(value, TEXEL, result); }
#else
out vec4 value;
#define WRITE(result) value = result
#endif
