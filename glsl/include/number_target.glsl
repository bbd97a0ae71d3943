// The target of numbers that a fragment shader writes.
//
// Requires  include/number.glsl
// Provides  result   the texel, at location 0. It has a name for each type, since outputs are read from the text, whatever is defined
#if defined(NUMBER_FLOAT)
layout(location = 0) out vec4 floats;
#define result floats
#elif defined(NUMBER_INT)
layout(location = 0) out ivec4 integers;
#define result integers
#else
layout(location = 0) out uvec4 whole_numbers;
#define result whole_numbers
#endif
