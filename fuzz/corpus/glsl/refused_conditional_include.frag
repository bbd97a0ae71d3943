#if 1
#include "include/rectangle.glsl"
#endif
#include "include/rectangle.glsl"
