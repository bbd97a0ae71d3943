// The works that probes measure. Each gives work(), the texel after one step, and most go round
// `trips` times, which the compiler cannot know.
// Define one of WORK_MAD, WORK_BRANCH, WORK_OPCODE, WORK_FETCH, WORK_CHASE.
uniform sampler2D old;
uniform int trips;

#if defined(WORK_MAD) || defined(WORK_BRANCH)
#include "include/mad.glsl"
#endif
#if defined(WORK_OPCODE)
#include "include/opcode.glsl"
#endif
#if defined(WORK_FETCH)
#include "include/fetch.glsl"
#endif

#if defined(WORK_MAD)
vec4 work(vec4 before) { return mads(before); }
#endif

// Multiply-adds in every other square of `block` texels: GPUBench's branching.
#if defined(WORK_BRANCH)
uniform int block;
vec4 work(vec4 before) {
    ivec2 square = TEXEL / block;
    if (((square.x + square.y) & 1) == 0) {
        return mads(before);
    }
    return before;
}
#endif

#if defined(WORK_OPCODE)
vec4 work(vec4 before) { return opcodes(before); }
#endif

// A walk through an image whose texels say where to go next: dependent fetches.
#if defined(WORK_CHASE)
uniform sampler2D image;
vec4 work(vec4 before) {
    ivec2 place = ivec2(before.xy);
    for (int trip = 0; trip < trips; trip++) {
        place = ivec2(READ(image, place).xy);
    }
    return vec4(vec2(place), 0.0, 0.0);
}
#endif
