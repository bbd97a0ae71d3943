#if 0
#include "none.glsl"
#endif
#include "b.glsl"
#ifdef M1
float s1;
#endif
