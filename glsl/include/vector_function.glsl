// What stands around a program of the vector machine: its registers, its inputs read from vectors,
// its result made what the target holds. In a vector's texture a quad of numbers is a texel, quads
// row by row, and the rows are a power of two long.
//
// first, second, third   the vectors, as many as VECTORS (1 to 3)
// c                      the constants (constants.glsl), for the program
// numbers, padding       PADDED: how many numbers a vector has, and what stands for those after
// Defines: VECTORS; QUADS, of each vector, that an invocation takes: 1, or 15 / VECTORS; RESULT, vec4
// or float; FIRST_BYTES, SECOND_BYTES, THIRD_BYTES: the vector's texels are fractions of 255;
// THROUGH_PIXELS: the result loses what 8-bit pixels cannot hold; TO_BYTES: it becomes fractions
// of 255. program.glsl gives `void program()`: assembly, translated, or GLSL.
//
// PLACE_OF_QUAD(quad)    may be defined before, where an invocation knows the place of its quad
// place_of(i, width)     the place of texel i in rows of a power of two
// compute(i)             the result of invocation i
// Source: Thompson, Hahn, Oskin, Using Modern Graphics Architectures for General-Purpose Computing,
// section 4.2; quads are shared out to v[1] to v[15] as Semantics (Rust) says.

#include "constants.glsl"

vec4 v[16];
vec4 o[15];

#include "vertex_isa.glsl"
#include "program.glsl"

uniform sampler2D first;
#if VECTORS > 1
uniform sampler2D second;
#endif
#if VECTORS > 2
uniform sampler2D third;
#endif

#ifdef FIRST_BYTES
#define FIRST_NUMBERS(texel) floor(texel * 255.0 + 0.5)
#else
#define FIRST_NUMBERS(texel) texel
#endif
#ifdef SECOND_BYTES
#define SECOND_NUMBERS(texel) floor(texel * 255.0 + 0.5)
#else
#define SECOND_NUMBERS(texel) texel
#endif
#ifdef THIRD_BYTES
#define THIRD_NUMBERS(texel) floor(texel * 255.0 + 0.5)
#else
#define THIRD_NUMBERS(texel) texel
#endif

#ifdef PADDED
uniform int numbers;
uniform float padding;

// Quads after the last one are not read. To a scalar, inputs are filled up; to a vector, where
// textures hold zeros after the last number, the result is, so that it is such a vector again.
#define INSIDE(quad) min(quad, (numbers - 1) / 4)
vec4 filled(vec4 value, int quad) {
    ivec4 number = 4 * quad + ivec4(0, 1, 2, 3);
    return mix(value, vec4(padding), greaterThanEqual(number, ivec4(numbers)));
}
#else
#define INSIDE(quad) quad
#define filled(value, quad) value
#endif

// A place of a number in rows of a power of two.
ivec2 place_of(int number, int width) {
    return ivec2(number & (width - 1), number / width);
}

#ifndef PLACE_OF_QUAD
#define PLACE_OF_QUAD(quad) place_of(INSIDE(quad), textureSize(first, 0).x)
#endif
#if QUADS == 1
#define INPUT(value, quad) value
#else
#define INPUT(value, quad) filled(value, quad)
#endif
#define FIRST(r, quad) v[r] = INPUT(FIRST_NUMBERS(READ(first, PLACE_OF_QUAD(quad))), quad);
#define SECOND(r, quad) v[r] = INPUT(SECOND_NUMBERS(READ(second, PLACE_OF_QUAD(quad))), quad);
#define THIRD(r, quad) v[r] = INPUT(THIRD_NUMBERS(READ(third, PLACE_OF_QUAD(quad))), quad);

// Reads the inputs of an invocation.
void load(int invocation) {
    int quad = invocation * QUADS;
#if QUADS == 1
    FIRST(1, quad)
#if VECTORS > 1
    SECOND(2, quad)
#endif
#if VECTORS > 2
    THIRD(3, quad)
#endif
#elif QUADS == 15
    FIRST(1, quad) FIRST(2, quad + 1) FIRST(3, quad + 2) FIRST(4, quad + 3) FIRST(5, quad + 4)
    FIRST(6, quad + 5) FIRST(7, quad + 6) FIRST(8, quad + 7) FIRST(9, quad + 8) FIRST(10, quad + 9)
    FIRST(11, quad + 10) FIRST(12, quad + 11) FIRST(13, quad + 12) FIRST(14, quad + 13)
    FIRST(15, quad + 14)
#elif QUADS == 7
    FIRST(1, quad) FIRST(2, quad + 1) FIRST(3, quad + 2) FIRST(4, quad + 3) FIRST(5, quad + 4)
    FIRST(6, quad + 5) FIRST(7, quad + 6)
    SECOND(8, quad) SECOND(9, quad + 1) SECOND(10, quad + 2) SECOND(11, quad + 3)
    SECOND(12, quad + 4) SECOND(13, quad + 5) SECOND(14, quad + 6)
#else
    FIRST(1, quad) FIRST(2, quad + 1) FIRST(3, quad + 2) FIRST(4, quad + 3) FIRST(5, quad + 4)
    SECOND(6, quad) SECOND(7, quad + 1) SECOND(8, quad + 2) SECOND(9, quad + 3) SECOND(10, quad + 4)
    THIRD(11, quad) THIRD(12, quad + 1) THIRD(13, quad + 2) THIRD(14, quad + 3) THIRD(15, quad + 4)
#endif
}

// The result, as the target holds it.
RESULT finished(RESULT result) {
#if defined(THROUGH_PIXELS)
    return floor(clamp(result, 0.0, 1.0) * 255.0 + 0.5) / 255.0;
#elif defined(TO_BYTES)
    return floor(clamp(result, 0.0, 255.0) + 0.5) / 255.0;
#else
    return result;
#endif
}

RESULT compute(int invocation) {
    o[1] = vec4(0.0, 0.0, 0.0, 1.0);
    load(invocation);
    program();
#if QUADS == 1
    return finished(filled(o[1], invocation));
#else
    return finished(o[1].x);
#endif
}
