// Stands behind the prelude of a fragment shader whose pass computes arrays larger than a texture, one panel after the other. The
// user's text sees the whole array: TEXEL, gl_FragCoord, textureSize and every read by position mean its texels. A read is checked:
// it must be of a texel that the panel stores, its own ones and a halo around them, or outside of the array, where it
// gives what it gives there in one texture: the nearest texel by READ where that samples, else 0. watch/main.frag reports the farthest that was not.
//
// quadrille_whole    the extent of the array
// quadrille_stored   the extent of a panel's texture; no texture that is read whole has it
// quadrille_shift    the position of a texel in the array minus that in the panel's texture
// quadrille_columns, quadrille_rows   the first and the last that the panel stores; the array repeats at its ends, and a
//                    position before the third or behind the fourth is nearer the other way round
// quadrille_farthest how far the farthest read is beyond them, else 0
// QUADRILLE_CUT_X, QUADRILLE_CUT_Y    whether the array is cut along x and y
// QUADRILLE_MIXED    whether the text reads whole textures too
#define QUADRILLE_PANELS 1

uniform highp ivec2 quadrille_whole;
uniform highp ivec2 quadrille_stored;
uniform highp ivec2 quadrille_shift;
uniform highp ivec4 quadrille_columns;
uniform highp ivec4 quadrille_rows;

int quadrille_farthest = 0;

ivec2 quadrille_texel() {
    return ivec2(gl_FragCoord.xy) + quadrille_shift;
}

vec4 quadrille_position() {
    return gl_FragCoord + vec4(vec2(quadrille_shift), 0.0, 0.0);
}

// The position along one axis, the nearer way round.
int quadrille_along(int p, ivec4 axis, int whole) {
    p += (p < axis.z ? whole : 0) - (p > axis.w ? whole : 0);
    quadrille_farthest = max(quadrille_farthest, max(axis.x - p, p - axis.y));
    return p;
}

// Where the panel's texture stores a texel of the array.
ivec2 quadrille_place(ivec2 p) {
#ifdef QUADRILLE_CUT_X
    p.x = quadrille_along(p.x, quadrille_columns, quadrille_whole.x);
#endif
#ifdef QUADRILLE_CUT_Y
    p.y = quadrille_along(p.y, quadrille_rows, quadrille_whole.y);
#endif
    return p - quadrille_shift;
}

// A negative position is a large unsigned one.
bool quadrille_is_outside(ivec2 p) {
    return any(greaterThanEqual(uvec2(p), uvec2(quadrille_whole)));
}

// The two forms of READ. A read that was too far is refused, whatever it gives.
#ifdef QUADRILLE_SAMPLE
#define QUADRILLE_STORED(image, p) textureLod(image, (vec2(p) + 0.5) * (1.0 / vec2(quadrille_stored)), 0.0)
#else
#define QUADRILLE_STORED(image, p) texelFetch(image, clamp(p, ivec2(0), quadrille_stored - 1), 0)
#endif

bool quadrille_is_panel(ivec2 size) {
#ifdef QUADRILLE_MIXED
    return size == quadrille_stored;
#else
    return true;
#endif
}

ivec2 quadrille_seen(ivec2 size) {
    return quadrille_is_panel(size) ? quadrille_whole : size;
}

// A texel that is known to lie in the array.
vec4 quadrille_within(sampler2D image, ivec2 p) {
    return quadrille_is_panel(textureSize(image, 0)) ? QUADRILLE_STORED(image, quadrille_place(p)) : texelFetch(image, p, 0);
}

ivec4 quadrille_within(isampler2D image, ivec2 p) {
    return quadrille_is_panel(textureSize(image, 0)) ? QUADRILLE_STORED(image, quadrille_place(p)) : texelFetch(image, p, 0);
}

uvec4 quadrille_within(usampler2D image, ivec2 p) {
    return quadrille_is_panel(textureSize(image, 0)) ? QUADRILLE_STORED(image, quadrille_place(p)) : texelFetch(image, p, 0);
}

// The nearest texel.
vec4 quadrille_clamped(sampler2D image, ivec2 p) {
    return quadrille_within(image, clamp(p, ivec2(0), quadrille_seen(textureSize(image, 0)) - 1));
}

ivec4 quadrille_clamped(isampler2D image, ivec2 p) {
    return quadrille_within(image, clamp(p, ivec2(0), quadrille_seen(textureSize(image, 0)) - 1));
}

uvec4 quadrille_clamped(usampler2D image, ivec2 p) {
    return quadrille_within(image, clamp(p, ivec2(0), quadrille_seen(textureSize(image, 0)) - 1));
}

vec4 quadrille_fetch(sampler2D image, ivec2 p) {
    if (!quadrille_is_panel(textureSize(image, 0))) return texelFetch(image, p, 0);
    return quadrille_is_outside(p) ? vec4(0.0) : QUADRILLE_STORED(image, quadrille_place(p));
}

ivec4 quadrille_fetch(isampler2D image, ivec2 p) {
    if (!quadrille_is_panel(textureSize(image, 0))) return texelFetch(image, p, 0);
    return quadrille_is_outside(p) ? ivec4(0) : QUADRILLE_STORED(image, quadrille_place(p));
}

uvec4 quadrille_fetch(usampler2D image, ivec2 p) {
    if (!quadrille_is_panel(textureSize(image, 0))) return texelFetch(image, p, 0);
    return quadrille_is_outside(p) ? uvec4(0u) : QUADRILLE_STORED(image, quadrille_place(p));
}

// Layers are read whole.
vec4 quadrille_fetch(sampler2DArray image, ivec3 p) {
    return texelFetch(image, p, 0);
}

ivec4 quadrille_fetch(isampler2DArray image, ivec3 p) {
    return texelFetch(image, p, 0);
}

uvec4 quadrille_fetch(usampler2DArray image, ivec3 p) {
    return texelFetch(image, p, 0);
}

ivec2 quadrille_size(sampler2D image) {
    return quadrille_seen(textureSize(image, 0));
}

ivec2 quadrille_size(isampler2D image) {
    return quadrille_seen(textureSize(image, 0));
}

ivec2 quadrille_size(usampler2D image) {
    return quadrille_seen(textureSize(image, 0));
}

ivec3 quadrille_size(sampler2DArray image) {
    return textureSize(image, 0);
}

ivec3 quadrille_size(isampler2DArray image) {
    return textureSize(image, 0);
}

ivec3 quadrille_size(usampler2DArray image) {
    return textureSize(image, 0);
}

#define texelFetch(image, p, level) quadrille_fetch(image, p)
#define texelFetchOffset(image, p, level, offset) quadrille_fetch(image, (p) + (offset))
#define textureSize(image, level) quadrille_size(image)
#define gl_FragCoord quadrille_position()
#undef READ
#undef READ_AT
#undef COORDINATE
#undef READ_CLAMPED
#undef READ_AT_CLAMPED
#undef READ_WRAPPED
#undef TEXEL
#ifdef QUADRILLE_SAMPLE
#define READ(image, p) quadrille_clamped(image, p)
#define READ_AT(image, c) quadrille_clamped(image, ivec2(floor(c)))
#else
#define READ(image, p) quadrille_fetch(image, p)
#define READ_AT(image, c) quadrille_fetch(image, ivec2(c))
#endif
#define COORDINATE(image, centre) (centre)
#define READ_CLAMPED(image, p) quadrille_clamped(image, p)
#define READ_AT_CLAMPED(image, c) quadrille_clamped(image, ivec2(floor(c)))
#define READ_WRAPPED(image, p) quadrille_within(image, QUADRILLE_WRAPPED(p, textureSize(image, 0)))
#define TEXEL quadrille_texel()
