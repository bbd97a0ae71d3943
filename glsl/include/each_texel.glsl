// A kernel that computes each texel of its target, or of its targets, by itself, as a fragment shader and as a compute shader.
//
// Defines   GROUP_X, GROUP_Y   the invocations of a group along x and y: the kernel is dispatched, and `extent` is that of the targets
//           TARGETS            the number of targets, 3 or 4: value_0 and so on
// Provides  WRITE(result)      to be called once, by every invocation, with the texel at TEXEL
//           WRITE_ALL(a, b, c, d)   the same for all targets; d is left out of three
#ifdef GROUP_X
layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;
uniform ivec2 extent;
#undef TEXEL
#define TEXEL ivec2(gl_GlobalInvocationID.xy)
#define INSIDE all(lessThan(TEXEL, extent))
#endif
#if defined(GROUP_X) && defined(TARGETS)
layout(binding = 0, rgba32f) uniform writeonly highp image2D value_0;
layout(binding = 1, rgba32f) uniform writeonly highp image2D value_1;
layout(binding = 2, rgba32f) uniform writeonly highp image2D value_2;
#define WRITE_THREE(a, b, c) imageStore(value_0, TEXEL, a); imageStore(value_1, TEXEL, b); imageStore(value_2, TEXEL, c)
#if TARGETS == 4
layout(binding = 3, rgba32f) uniform writeonly highp image2D value_3;
#define WRITE_ALL(a, b, c, d) if (INSIDE) { WRITE_THREE(a, b, c); imageStore(value_3, TEXEL, d); }
#else
#define WRITE_ALL(a, b, c) if (INSIDE) { WRITE_THREE(a, b, c); }
#endif
#elif defined(GROUP_X)
layout(binding = 0, rgba32f) uniform writeonly highp image2D value;
#define WRITE(result) if (INSIDE) { imageStore(value, TEXEL, result); }
#elif defined(TARGETS)
layout(location = 0) out vec4 value_0;
layout(location = 1) out vec4 value_1;
layout(location = 2) out vec4 value_2;
#if TARGETS == 4
layout(location = 3) out vec4 value_3;
#define WRITE_ALL(a, b, c, d) value_0 = a; value_1 = b; value_2 = c; value_3 = d
#else
#define WRITE_ALL(a, b, c) value_0 = a; value_1 = b; value_2 = c
#endif
#else
out vec4 value;
#define WRITE(result) value = result
#endif
