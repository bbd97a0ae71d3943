// The sum of 8 texels a trip, less what the step before gave. From a first texel, k gaps to the
// right and (trip mod 8) gaps up: near ones over and over, each texel of a large image once, or a
// block for each fragment, as mask, spread and gap say.
// Defines: RANDOM for places without any order; one of NUMBER_FLOAT, NUMBER_VEC2, NUMBER_VEC4;
// FILTERED to sample at the corner between four texels, with the image's own filter, whichever way READ
// reads; in place of the image BUFFER for a storage buffer, CONSTANTS for a uniform array of this length, or
// SHARED_MEMORY for an array of this length that a group first copies from the image.
// Uniforms: image; mask, spread, gap; side, the width of the image. Source: GPUBench (Stanford),
// floatbandwidth and fetchcosts.
uniform int mask;
uniform int spread;
uniform ivec2 gap;
uniform int side;

#if defined(NUMBER_FLOAT)
#define NUMBER float
#define CHANNELS r
#elif defined(NUMBER_VEC2)
#define NUMBER vec2
#define CHANNELS rg
#else
#define NUMBER vec4
#define CHANNELS rgba
#endif

#ifdef BUFFER
layout(std430, binding = 0) readonly buffer Numbers { NUMBER numbers[]; };
#elif defined(CONSTANTS)
uniform NUMBER numbers[CONSTANTS];
#else
uniform sampler2D image;
#endif

#ifdef SHARED_MEMORY
shared NUMBER numbers[SHARED_MEMORY];

void fill() {
    int all = int(gl_WorkGroupSize.x * gl_WorkGroupSize.y);
    for (int i = int(gl_LocalInvocationIndex); i < SHARED_MEMORY; i += all) {
        numbers[i] = texelFetch(image, ivec2(i % side, i / side), 0).CHANNELS;
    }
    barrier();
}
#endif

#if defined(BUFFER) || defined(CONSTANTS) || defined(SHARED_MEMORY)
#define SPOT ivec2
#define AT(p) numbers[(p).y * side + (p).x]
#define FROM_TEXEL(p) (p)
#define BETWEEN(p) (p)
#elif defined(QUADRILLE_SAMPLE) || defined(FILTERED)
#ifdef FILTERED
#define CENTRE 1.0
#else
#define CENTRE 0.5
#endif
#define SPOT vec2
#define AT(p) textureLod(image, p, 0.0).CHANNELS
#define FROM_TEXEL(p) ((vec2(p) + CENTRE) * (1.0 / float(side)))
#define BETWEEN(p) (vec2(p) * (1.0 / float(side)))
#else
#define SPOT ivec2
#define AT(p) texelFetch(image, p, 0).CHANNELS
#define FROM_TEXEL(p) (p)
#define BETWEEN(p) (p)
#endif

vec4 four(float number) { return vec4(number, 0.0, 0.0, 0.0); }
vec4 four(vec2 number) { return vec4(number, 0.0, 0.0); }
vec4 four(vec4 number) { return number; }

#ifdef RANDOM
// The generator of Numerical Recipes; its high bits are the good ones.
#define NEXT (state = state * 1664525u + 1013904223u)
#define ANYWHERE (ivec2(state >> 20u, state >> 8u) & (side - 1))
#define TAKE(k) NEXT; sum += AT(FROM_TEXEL(ANYWHERE));
#else
#define TAKE(k) sum += AT(p + SPOT(k) * right);
#endif

vec4 work(vec4 before) {
    NUMBER sum = NUMBER(0.0);
#ifdef SHARED_MEMORY
    fill();
#endif
#ifdef RANDOM
    uint state = uint(TEXEL.y * side + TEXEL.x);
#else
    SPOT first = FROM_TEXEL((TEXEL & mask) * spread);
    SPOT right = BETWEEN(ivec2(gap.x, 0));
    SPOT up = BETWEEN(ivec2(0, gap.y));
#endif
    for (int trip = 0; trip < trips; trip++) {
#ifndef RANDOM
        SPOT p = first + SPOT(trip & 7) * up;
#endif
        TAKE(0) TAKE(1) TAKE(2) TAKE(3) TAKE(4) TAKE(5) TAKE(6) TAKE(7)
    }
    return four(sum) - before;
}
