// A chain of multiply-adds, s = s * c + d, for each of ACCUMULATORS x 4 numbers that begin apart;
// what is given back is their mean. With c a little below 1 they stay bounded, and one step more
// or less shows in the result.
// Defines: ACCUMULATORS, 4 or 8; UNROLL, steps a trip; FUSED for that of include/fused.glsl.
// Uniforms: c, d.
// Source: GPUBench (Stanford), instrissue.
#include "include/fused.glsl"
#include "include/unroll.glsl"
uniform vec4 c;
uniform vec4 d;

#ifdef FUSED
#define LINK(s) s = MAD(s, c, d);
#else
#define LINK(s) s = s * c + d;
#endif
#if ACCUMULATORS == 8
#define STEP(u) LINK(s0) LINK(s1) LINK(s2) LINK(s3) LINK(s4) LINK(s5) LINK(s6) LINK(s7)
#else
#define STEP(u) LINK(s0) LINK(s1) LINK(s2) LINK(s3)
#endif

vec4 mads(vec4 start) {
    vec4 s0 = start, s1 = start + 1.0, s2 = start + 2.0, s3 = start + 3.0;
#if ACCUMULATORS == 8
    vec4 s4 = start + 4.0, s5 = start + 5.0, s6 = start + 6.0, s7 = start + 7.0;
#endif
    for (int trip = 0; trip < trips; trip++) {
        UNROLLED(STEP)
    }
#if ACCUMULATORS == 8
    return 0.125 * (((s0 + s1) + (s2 + s3)) + ((s4 + s5) + (s6 + s7)));
#else
    return 0.25 * ((s0 + s1) + (s2 + s3));
#endif
}
