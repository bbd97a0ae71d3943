uniform float a
#if 1
#if 1
[2]
#endif
#endif
;