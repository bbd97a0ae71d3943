// Stands in front of every kernel. It gives:
//
//   PRECISE                     the keyword `precise` where the context has it, else nothing
//   TEXEL                       the texel that a fragment writes, as an ivec2
//   READ(image, p)              the texel of a sampler2D at the ivec2 p, level 0
//   READ_AT(image, c)           the texel at a coordinate c, which comes from
//   COORDINATE(image, centre)   the coordinate of a texel's centre: vec2(x + 0.5, y + 0.5)
//   READ_CLAMPED, READ_AT_CLAMPED   READ and READ_AT, where p or c may lie outside the image: its
//                               nearest texel is read
//   READ_WRAPPED(image, p)      READ, where the image repeats in both directions
//
// and, for OpenGL ES, the default precisions, all highp.
//
// READ and READ_AT have two forms with the same result; QUADRILLE_SAMPLE chooses. The first
// fetches by integers. The second samples at the texel's centre, which is the texel itself because
// every texture here is NEAREST. COORDINATE may be computed in the vertex shader and interpolated
// over the quad: near a centre both forms still meet the same texel. A position outside the image
// is undefined when fetched and clamped when sampled: the clamped forms cost nothing there. READ_WRAPPED
// needs %, which GLSL leaves undefined for negative numbers: ~p takes their place, and counts back.
// `image` is written twice in a macro: pass a name, not an expression.

#ifdef GL_ES
precision highp float;
precision highp int;
precision highp sampler2D;
precision highp isampler2D;
precision highp usampler2D;
precision highp sampler2DArray;
precision highp isampler2DArray;
precision highp usampler2DArray;
#if __VERSION__ >= 310
precision highp image2D;
precision highp iimage2D;
precision highp uimage2D;
#endif
#endif

#ifdef QUADRILLE_PRECISE
#define PRECISE precise
#else
#define PRECISE
#endif

#define TEXEL ivec2(gl_FragCoord.xy)

#ifdef QUADRILLE_SAMPLE
#define READ(image, p) textureLod(image, (vec2(p) + 0.5) * (1.0 / vec2(textureSize(image, 0))), 0.0)
#define READ_AT(image, c) textureLod(image, c, 0.0)
#define COORDINATE(image, centre) ((centre) * (1.0 / vec2(textureSize(image, 0))))
#define READ_CLAMPED(image, p) READ(image, p)
#define READ_AT_CLAMPED(image, c) READ_AT(image, c)
#else
#define READ(image, p) texelFetch(image, p, 0)
#define READ_AT(image, c) texelFetch(image, ivec2(c), 0)
#define COORDINATE(image, centre) (centre)
#define READ_CLAMPED(image, p) texelFetch(image, clamp(p, ivec2(0), textureSize(image, 0) - 1), 0)
#define READ_AT_CLAMPED(image, c) READ_CLAMPED(image, ivec2(floor(c)))
#endif

#define READ_WRAPPED(image, p) READ(image, QUADRILLE_WRAPPED(p, textureSize(image, 0)))
#define QUADRILLE_BELOW(p) ivec2(lessThan(p, ivec2(0)))
#define QUADRILLE_REST(p, size) (((p) ^ -QUADRILLE_BELOW(p)) % size)
#define QUADRILLE_COUNTED(rest, below, size) (rest + below * (size - 1 - 2 * rest))
#define QUADRILLE_WRAPPED(p, size) QUADRILLE_COUNTED(QUADRILLE_REST(p, size), QUADRILLE_BELOW(p), size)
