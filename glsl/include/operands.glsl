// The operands of C = A B in textures or buffers, read along the inner dimension k.
//
// Defines   SAMPLER          sampler2D or isampler2D
//           A_TRANSPOSED     in A k runs along y; else along x
//           B_TRANSPOSED     in B k runs along x; else along y
//           STRIPS           textures are cut into strips that are this number of texels wide, one below the other, which UNROLLED does not cross
//           FROM_BUFFERS     operands in buffers of vec4, in rows of `a_width` and `b_width`
//           UNROLL           steps in an iteration of the loop
// Inputs    a, b             the operands
//           first, last      the steps of k, from `first` to `last`, exclusive
//           strip_heights    STRIPS: the texels along y of a strip of A and of B
//           batch            of include/batch.glsl: rows in fragments, columns in texels of B
// Provides  POSITION         the type of a place in an operand
//           A_AT(i), B_AT(j) the beginning of row i of A's texels, and of column j of B's for the fragment's row
//           SET_K            at the head of a loop's body: sets the offsets of step k
//           A_FROM(at, u), B_FROM(at, u)   the texel of step k + u in the row or column that begins `at`
//           UNROLLED(f), MAD(a, b, c)   of include/unroll.glsl and include/fused.glsl

#include "include/unroll.glsl"
#include "include/fused.glsl"
#include "include/walk.glsl"
#include "include/batch.glsl"

uniform int first;
uniform int last;

#ifdef FROM_BUFFERS
layout(std430, binding = 1) readonly buffer A { vec4 a[]; };
layout(std430, binding = 2) readonly buffer B { vec4 b[]; };
uniform int a_width;
uniform int b_width;
#define POSITION int
#define COUNT(n) (n)
#define READ_A(at) a[at]
#define READ_B(at) b[at]
#define IN_A(x, y) ((y) * a_width + (x))
#define IN_B(x, y) ((y) * b_width + (x))
#define A_BY(x, y) IN_A(x, y)
#define B_BY(x, y) IN_B(x, y)
#else
uniform SAMPLER a;
uniform SAMPLER b;
#define POSITION PLACE
#define COUNT(n) STEPS(n)
#define READ_A(at) READ_FROM(a, at)
#define READ_B(at) READ_FROM(b, at)
#define IN_A(x, y) PLACE_OF(a, ivec2(x, y))
#define IN_B(x, y) PLACE_OF(b, ivec2(x, y))
#define A_BY(x, y) STEP_OF(a, ivec2(x, y))
#define B_BY(x, y) STEP_OF(b, ivec2(x, y))
#endif

// The position a number of texels along x from the beginning, and a step of that number.
#ifdef STRIPS
uniform ivec2 strip_heights;
#define ALONG_A(at) IN_A((at) % STRIPS, (at) / STRIPS * strip_heights.x)
#define ALONG_B(at) IN_B((at) % STRIPS, (at) / STRIPS * strip_heights.y)
#define A_ALONG(n) A_BY((n) % STRIPS, (n) / STRIPS * strip_heights.x)
#define B_ALONG(n) B_BY((n) % STRIPS, (n) / STRIPS * strip_heights.y)
#else
#define ALONG_A(at) IN_A(at, 0)
#define ALONG_B(at) IN_B(at, 0)
#define A_ALONG(n) (COUNT(n) * A_BY(1, 0))
#define B_ALONG(n) (COUNT(n) * B_BY(1, 0))
#endif

#ifdef A_TRANSPOSED
#define A_AT(i) ALONG_A(i)
#define A_STEP A_BY(0, 1)
#define A_STEPS(n) (COUNT(n) * A_STEP)
#else
#define A_AT(i) IN_A(0, i)
#define A_STEP A_BY(1, 0)
#define A_STEPS(n) A_ALONG(n)
#endif
#ifdef B_TRANSPOSED
#define B_AT(j) IN_B(0, COLUMN_OF_B(TEXEL.y, j))
#define B_STEP B_BY(1, 0)
#define B_STEPS(n) B_ALONG(n)
#else
#define B_AT(j) ALONG_B(COLUMN_OF_B(TEXEL.y, j))
#define B_STEP B_BY(0, 1)
#define B_STEPS(n) (COUNT(n) * B_STEP)
#endif

POSITION offset_a;
POSITION offset_b;
#define SET_K offset_a = A_STEPS(k); offset_b = B_STEPS(k);
#define A_FROM(at, u) READ_A((at) + (offset_a + COUNT(u) * A_STEP))
#define B_FROM(at, u) READ_B((at) + (offset_b + COUNT(u) * B_STEP))
