// The compute stage of include/each_texel.glsl.
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
#ifndef TARGETS
layout(binding = 0, rgba32f) uniform writeonly highp image2D value;
#define WRITE(result) if (INSIDE) { imageStore(value, TEXEL, result); }
#else
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
#endif
