// The frame of a program of the vector machine: its registers, its inputs from vectors, and its result in the format of
// the target. A texel of a vector's texture holds four numbers, row by row; rows are a power of two long.
//
// vector_1, vector_2, vector_3   the vectors, as many as VECTORS (1 to 3); ATTRIBUTES: attributes 1 to 15 in their place
// c                              the constants (constants.glsl), for the program
// vector_length, vector_padding  PADDED: the length of the vectors, and the number that fills the last inputs
// Defines: VECTORS; QUADS that an invocation reads of each vector: 1, or 15 / VECTORS; RESULT, vec4 or float; BYTES_1,
// BYTES_2, BYTES_3: the vector's texels are fractions of 255; THROUGH_PIXELS: the result is rounded to what 8-bit pixels hold;
// TO_BYTES: the result becomes fractions of 255. The file that includes this one includes program.glsl last:
// `void program()`, assembly, translated, or GLSL.
//
// PLACE_OF_QUAD(quad)            may be defined before, where an invocation knows the position of its quad
// vector_place(i, width)         the position of texel i in rows of a power of two
// vector_compute(i)              the result of invocation i
//
// Names that begin with vector_ or vp_ are reserved; a GLSL program may use all others.
// Source: Thompson, Hahn, Oskin, Using Modern Graphics Architectures for General-Purpose Computing, section 4.2; quads are
// distributed to v[1] to v[15] as Semantics (Rust) says.

// WATCHED: every number of the result is 1 if the device's loop budget ended loops of the program early, else 0.

#include "constants.glsl"
#ifdef WATCHED
#include "include/loop_budget.glsl"
#endif

vec4 v[16];
vec4 o[15];

#include "include/vertex_isa.glsl"

// program.glsl is included last, so that its macros change nothing here.
void program();

#ifdef ATTRIBUTES
#include "include/vector_attributes.glsl"
#else
uniform sampler2D vector_1;
#if VECTORS > 1
uniform sampler2D vector_2;
#endif
#if VECTORS > 2
uniform sampler2D vector_3;
#endif
#endif

#ifdef BYTES_1
#define NUMBERS_1(texel) floor(texel * 255.0 + 0.5)
#else
#define NUMBERS_1(texel) texel
#endif
#ifdef BYTES_2
#define NUMBERS_2(texel) floor(texel * 255.0 + 0.5)
#else
#define NUMBERS_2(texel) texel
#endif
#ifdef BYTES_3
#define NUMBERS_3(texel) floor(texel * 255.0 + 0.5)
#else
#define NUMBERS_3(texel) texel
#endif

#ifdef PADDED
uniform int vector_length;
uniform float vector_padding;

// Quads after the last one are not read. For a scalar result the inputs are filled up; for a vector the result is, since
// textures hold zeros after the last number.
#define VECTOR_INSIDE(quad) min(quad, (vector_length - 1) / 4)
vec4 vector_filled(vec4 value, int quad) {
    ivec4 number = 4 * quad + ivec4(0, 1, 2, 3);
    return mix(value, vec4(vector_padding), greaterThanEqual(number, ivec4(vector_length)));
}
#else
#define VECTOR_INSIDE(quad) quad
#define vector_filled(value, quad) value
#endif

// The position of a number in rows of a power of two.
ivec2 vector_place(int number, int width) {
    return ivec2(number & (width - 1), number / width);
}

#ifndef PLACE_OF_QUAD
#define PLACE_OF_QUAD(quad) vector_place(VECTOR_INSIDE(quad), textureSize(vector_1, 0).x)
#endif
#if QUADS == 1
#define VECTOR_INPUT(value, quad) value
#else
#define VECTOR_INPUT(value, quad) vector_filled(value, quad)
#endif
#ifdef ATTRIBUTES
#define QUAD_OF(vector, r, quad) v[r]
#else
#define QUAD_OF(vector, r, quad) READ(vector, PLACE_OF_QUAD(quad))
#endif
#define TAKE_1(r, quad) v[r] = VECTOR_INPUT(NUMBERS_1(QUAD_OF(vector_1, r, quad)), quad);
#define TAKE_2(r, quad) v[r] = VECTOR_INPUT(NUMBERS_2(QUAD_OF(vector_2, r, quad)), quad);
#define TAKE_3(r, quad) v[r] = VECTOR_INPUT(NUMBERS_3(QUAD_OF(vector_3, r, quad)), quad);

// Reads the inputs of an invocation.
void vector_load(int invocation) {
    int quad = invocation * QUADS;
#ifdef ATTRIBUTES
    vector_take_attributes();
#endif
#if QUADS == 1
    TAKE_1(1, quad)
#if VECTORS > 1
    TAKE_2(2, quad)
#endif
#if VECTORS > 2
    TAKE_3(3, quad)
#endif
#elif QUADS == 15
    TAKE_1(1, quad) TAKE_1(2, quad + 1) TAKE_1(3, quad + 2) TAKE_1(4, quad + 3) TAKE_1(5, quad + 4)
    TAKE_1(6, quad + 5) TAKE_1(7, quad + 6) TAKE_1(8, quad + 7) TAKE_1(9, quad + 8) TAKE_1(10, quad + 9)
    TAKE_1(11, quad + 10) TAKE_1(12, quad + 11) TAKE_1(13, quad + 12) TAKE_1(14, quad + 13)
    TAKE_1(15, quad + 14)
#elif QUADS == 7
    TAKE_1(1, quad) TAKE_1(2, quad + 1) TAKE_1(3, quad + 2) TAKE_1(4, quad + 3) TAKE_1(5, quad + 4)
    TAKE_1(6, quad + 5) TAKE_1(7, quad + 6)
    TAKE_2(8, quad) TAKE_2(9, quad + 1) TAKE_2(10, quad + 2) TAKE_2(11, quad + 3)
    TAKE_2(12, quad + 4) TAKE_2(13, quad + 5) TAKE_2(14, quad + 6)
#else
    TAKE_1(1, quad) TAKE_1(2, quad + 1) TAKE_1(3, quad + 2) TAKE_1(4, quad + 3) TAKE_1(5, quad + 4)
    TAKE_2(6, quad) TAKE_2(7, quad + 1) TAKE_2(8, quad + 2) TAKE_2(9, quad + 3) TAKE_2(10, quad + 4)
    TAKE_3(11, quad) TAKE_3(12, quad + 1) TAKE_3(13, quad + 2) TAKE_3(14, quad + 3) TAKE_3(15, quad + 4)
#endif
}

// The result in the format of the target.
RESULT vector_finished(RESULT result) {
#if defined(THROUGH_PIXELS)
    // A target of 8-bit pixels may round the middle between two steps either way; the simulator rounds it up.
    return floor(clamp(result, 0.0, 1.0) * 255.0 + 0.5) / 255.0;
#elif defined(TO_BYTES)
    return floor(clamp(result, 0.0, 255.0) + 0.5) / 255.0;
#else
    return result;
#endif
}

RESULT vector_compute(int invocation) {
    o[1] = vec4(0.0, 0.0, 0.0, 1.0);
    vector_load(invocation);
    program();
#ifdef WATCHED
    // quadrille_two is 2, which the compiler does not know, so that it keeps the program and its result.
    bool left = quadrille_budget_is_left();
    return quadrille_two == 2 ? RESULT(left ? 0.0 : 1.0) : RESULT(o[1]);
#elif QUADS == 1
    return vector_finished(vector_filled(o[1], invocation));
#else
    return vector_finished(o[1].x);
#endif
}
