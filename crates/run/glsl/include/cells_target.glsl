// The target of cells of 1 to 4 channels.
//
// Requires  include/number.glsl
// Defines   CHANNELS
// Provides  result   the cell, at location 0. It has a name for each type, since outputs are read from the text, whatever is defined
//           CELL(four)   the channels of four numbers that the target has
#if CHANNELS == 1
#define CELL(four) (four).x
#elif CHANNELS == 2
#define CELL(four) (four).xy
#elif CHANNELS == 3
#define CELL(four) (four).xyz
#else
#define CELL(four) (four)
#endif

#if defined(NUMBER_FLOAT)
#if CHANNELS == 1
layout(location = 0) out float float_1;
#define result float_1
#elif CHANNELS == 2
layout(location = 0) out vec2 float_2;
#define result float_2
#elif CHANNELS == 3
layout(location = 0) out vec3 float_3;
#define result float_3
#else
layout(location = 0) out vec4 float_4;
#define result float_4
#endif
#elif defined(NUMBER_INT)
#if CHANNELS == 1
layout(location = 0) out int int_1;
#define result int_1
#elif CHANNELS == 2
layout(location = 0) out ivec2 int_2;
#define result int_2
#elif CHANNELS == 3
layout(location = 0) out ivec3 int_3;
#define result int_3
#else
layout(location = 0) out ivec4 int_4;
#define result int_4
#endif
#else
#if CHANNELS == 1
layout(location = 0) out uint uint_1;
#define result uint_1
#elif CHANNELS == 2
layout(location = 0) out uvec2 uint_2;
#define result uint_2
#elif CHANNELS == 3
layout(location = 0) out uvec3 uint_3;
#define result uint_3
#else
layout(location = 0) out uvec4 uint_4;
#define result uint_4
#endif
#endif
