#if 1 && \
    2 > 1 // #endif
#include "c.glsl"
#endif
/* #else */ float s1;
