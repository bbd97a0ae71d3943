// Stands in front of every kernel. It gives:
//
//   PRECISE                     the keyword `precise` where the context has it, else nothing
//   MAD(a, b, c)                a b + c of floats, rounded once where the context has `fma`
//   TEXEL                       the texel that a fragment writes, as an ivec2
//   READ(image, p)              the texel of a sampler2D at the ivec2 p, level 0
//   READ_AT(image, c)           the texel at a coordinate c, which comes from
//   COORDINATE(image, centre)   the coordinate of a texel's centre: vec2(x + 0.5, y + 0.5)
//   PLACE, PLACE_OF(image, p)   a place to walk from: that of the texel at the ivec2 p
//   SPAN, SPANS(n)              a distance to walk, and a number of texels to multiply with
//   SPAN_X(image), SPAN_Y(image)         the distance of one texel along either side
//   ALONG_X(place, d), ALONG_Y(place, d) the place at a distance; the other coordinate is left
//                               alone, so that what depends on it is computed once
//   READ_FROM(image, place)     the texel there
//   MAD(a, b, c)                a * b + c: rounded as the device likes, but where PRECISE is the
//                               keyword in one way everywhere in the program
//   READ_CLAMPED, READ_AT_CLAMPED   READ and READ_AT, where p or c may lie outside the image: its
//                               nearest texel is read
//
// and, for OpenGL ES, the default precisions, all highp.
//
// READ and READ_AT have two forms with the same result; QUADRILLE_SAMPLE chooses. The first
// fetches by integers. The second samples at the texel's centre, which is the texel itself because
// every texture here is NEAREST. COORDINATE may be computed in the vertex shader and interpolated
// over the quad: near a centre both forms still meet the same texel. A position outside the image
// is undefined when fetched and clamped when sampled: the clamped forms cost nothing there.
// `image` is written twice in a macro: pass a name, not an expression.

#ifdef GL_ES
precision highp float;
precision highp int;
precision highp sampler2D;
precision highp isampler2D;
precision highp usampler2D;
#if __VERSION__ >= 310
precision highp image2D;
precision highp iimage2D;
precision highp uimage2D;
#endif
#endif

#ifdef QUADRILLE_PRECISE
#define PRECISE precise
#define MAD(a, b, c) fma(a, b, c)
#else
#define PRECISE
#define MAD(a, b, c) ((a) * (b) + (c))
#endif

#define TEXEL ivec2(gl_FragCoord.xy)

#ifdef QUADRILLE_SAMPLE
#define READ(image, p) textureLod(image, (vec2(p) + 0.5) * (1.0 / vec2(textureSize(image, 0))), 0.0)
#define READ_AT(image, c) textureLod(image, c, 0.0)
#define COORDINATE(image, centre) ((centre) * (1.0 / vec2(textureSize(image, 0))))
#define PLACE vec2
#define PLACE_OF(image, p) ((vec2(p) + 0.5) / vec2(textureSize(image, 0)))
#define SPAN float
#define SPANS(n) float(n)
#define SPAN_X(image) (1.0 / float(textureSize(image, 0).x))
#define SPAN_Y(image) (1.0 / float(textureSize(image, 0).y))
#define ALONG_X(place, d) vec2((place).x + (d), (place).y)
#define ALONG_Y(place, d) vec2((place).x, (place).y + (d))
#define READ_FROM(image, place) textureLod(image, place, 0.0)
#define READ_CLAMPED(image, p) READ(image, p)
#define READ_AT_CLAMPED(image, c) READ_AT(image, c)
#else
#define READ(image, p) texelFetch(image, p, 0)
#define READ_AT(image, c) texelFetch(image, ivec2(c), 0)
#define COORDINATE(image, centre) (centre)
#define PLACE ivec2
#define PLACE_OF(image, p) (p)
#define SPAN int
#define SPANS(n) (n)
#define SPAN_X(image) 1
#define SPAN_Y(image) 1
#define ALONG_X(place, d) ivec2((place).x + (d), (place).y)
#define ALONG_Y(place, d) ivec2((place).x, (place).y + (d))
#define READ_FROM(image, place) texelFetch(image, place, 0)
#define READ_CLAMPED(image, p) texelFetch(image, clamp(p, ivec2(0), textureSize(image, 0) - 1), 0)
#define READ_AT_CLAMPED(image, c) READ_CLAMPED(image, ivec2(floor(c)))
#endif
