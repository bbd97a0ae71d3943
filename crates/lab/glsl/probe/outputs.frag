// The same texel, counted up, into 1 to 8 targets. Input: old, the first target of the step before.
// Define: TARGETS. Outputs: next0 ... Source: GPUBench (Stanford), outputbandwidth.
uniform sampler2D old;
layout(location = 0) out vec4 next0;
#if TARGETS > 1
layout(location = 1) out vec4 next1;
#endif
#if TARGETS > 2
layout(location = 2) out vec4 next2;
#endif
#if TARGETS > 3
layout(location = 3) out vec4 next3;
#endif
#if TARGETS > 4
layout(location = 4) out vec4 next4;
#endif
#if TARGETS > 5
layout(location = 5) out vec4 next5;
#endif
#if TARGETS > 6
layout(location = 6) out vec4 next6;
#endif
#if TARGETS > 7
layout(location = 7) out vec4 next7;
#endif

void main() {
    vec4 value = 1.0 - READ(old, TEXEL);
    next0 = value;
#if TARGETS > 1
    next1 = value + 1.0;
#endif
#if TARGETS > 2
    next2 = value + 2.0;
#endif
#if TARGETS > 3
    next3 = value + 3.0;
#endif
#if TARGETS > 4
    next4 = value + 4.0;
#endif
#if TARGETS > 5
    next5 = value + 5.0;
#endif
#if TARGETS > 6
    next6 = value + 6.0;
#endif
#if TARGETS > 7
    next7 = value + 7.0;
#endif
}
