#if 1
#include "none.glsl"
#endif
