// A kernel that computes each texel of its target, or of its targets, by itself, as a fragment shader and as a compute shader.
//
// Defines   GROUP_X, GROUP_Y   the invocations of a group along x and y: the kernel is dispatched, and `extent` is that of the targets
//           PART               it is dispatched for a part of its targets alone: `part` is where that begins, and `extent` is its own
//           TARGETS            the number of targets, 2, 3 or 4: value_0 and so on
// Provides  WRITE(result)      to be called once, by every invocation, with the texel at TEXEL
//           INSIDE             whether there is such a texel: a group may reach beyond its targets
//           WRITE_ALL(a, b, c, d)   the same for all targets; those that there are not are left out
#ifdef GROUP_X
layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;
uniform ivec2 extent;
#undef TEXEL
#define INSIDE all(lessThan(ivec2(gl_GlobalInvocationID.xy), extent))
#ifdef PART
uniform ivec2 part;
#define TEXEL (part + ivec2(gl_GlobalInvocationID.xy))
#else
#define TEXEL ivec2(gl_GlobalInvocationID.xy)
#endif
#else
#define INSIDE true
#endif
#if defined(GROUP_X) && defined(TARGETS)
layout(binding = 0, rgba32f) uniform writeonly highp image2D value_0;
layout(binding = 1, rgba32f) uniform writeonly highp image2D value_1;
#define WRITE_TWO(a, b) imageStore(value_0, TEXEL, a); imageStore(value_1, TEXEL, b)
#if TARGETS == 2
#define WRITE_ALL(a, b) if (INSIDE) { WRITE_TWO(a, b); }
#else
layout(binding = 2, rgba32f) uniform writeonly highp image2D value_2;
#define WRITE_THREE(a, b, c) WRITE_TWO(a, b); imageStore(value_2, TEXEL, c)
#endif
#if TARGETS == 4
layout(binding = 3, rgba32f) uniform writeonly highp image2D value_3;
#define WRITE_ALL(a, b, c, d) if (INSIDE) { WRITE_THREE(a, b, c); imageStore(value_3, TEXEL, d); }
#elif TARGETS == 3
#define WRITE_ALL(a, b, c) if (INSIDE) { WRITE_THREE(a, b, c); }
#endif
#elif defined(GROUP_X)
layout(binding = 0, rgba32f) uniform writeonly highp image2D value;
#define WRITE(result) if (INSIDE) { imageStore(value, TEXEL, result); }
#elif defined(TARGETS)
layout(location = 0) out vec4 value_0;
layout(location = 1) out vec4 value_1;
#if TARGETS > 2
layout(location = 2) out vec4 value_2;
#endif
#if TARGETS == 4
layout(location = 3) out vec4 value_3;
#define WRITE_ALL(a, b, c, d) value_0 = a; value_1 = b; value_2 = c; value_3 = d
#elif TARGETS == 3
#define WRITE_ALL(a, b, c) value_0 = a; value_1 = b; value_2 = c
#else
#define WRITE_ALL(a, b) value_0 = a; value_1 = b
#endif
#else
out vec4 value;
#define WRITE(result) value = result
#endif
