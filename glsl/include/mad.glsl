// A chain of multiply-adds, s = s * c + d, for each of ACCUMULATORS x 4 numbers that begin apart;
// what is given back is their mean. With c a little below 1 they stay bounded, and one step more
// or less shows in the result.
// Defines: ACCUMULATORS, 4 or 8; UNROLL, 1, 4, 8 or 16 steps a trip. Uniforms: c, d.
// Source: GPUBench (Stanford), instrissue.
uniform vec4 c;
uniform vec4 d;

#define MAD(s) s = s * c + d;
#define STEP_OF_4 MAD(s0) MAD(s1) MAD(s2) MAD(s3)
#if ACCUMULATORS == 8
#define STEP STEP_OF_4 MAD(s4) MAD(s5) MAD(s6) MAD(s7)
#else
#define STEP STEP_OF_4
#endif
#define STEPS_4 STEP STEP STEP STEP
#if UNROLL == 16
#define STEPS STEPS_4 STEPS_4 STEPS_4 STEPS_4
#elif UNROLL == 8
#define STEPS STEPS_4 STEPS_4
#elif UNROLL == 4
#define STEPS STEPS_4
#else
#define STEPS STEP
#endif

vec4 mads(vec4 start) {
    vec4 s0 = start, s1 = start + 1.0, s2 = start + 2.0, s3 = start + 3.0;
#if ACCUMULATORS == 8
    vec4 s4 = start + 4.0, s5 = start + 5.0, s6 = start + 6.0, s7 = start + 7.0;
#endif
    for (int trip = 0; trip < trips; trip++) {
        STEPS
    }
#if ACCUMULATORS == 8
    return 0.125 * (((s0 + s1) + (s2 + s3)) + ((s4 + s5) + (s6 + s7)));
#else
    return 0.25 * ((s0 + s1) + (s2 + s3));
#endif
}
