// The targets of include/each_texel.glsl, where a fragment shader has several.
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
