// Stands behind the prelude of a fragment shader whose pass computes arrays larger than a texture, one panel after the other. The
// user's text sees the whole array: TEXEL, gl_FragCoord, textureSize and every read by position mean its texels. A read is checked:
// it must lie in what the panel stores, the fragment's own texel and the halo around it, or outside of the array, where it
// gives 0. watch/main.frag reports the farthest that was not.
//
// quadrille_whole    the extent of the array
// quadrille_stored   the extent of a panel's texture; no texture that is read whole has it
// quadrille_shift    the position of a texel in the array minus that in the panel's texture
// quadrille_reach    how far from its own a fragment may read along x and y; the array repeats at its ends
// quadrille_farthest how far the farthest read is that lies beyond, else 0
#define QUADRILLE_PANELS 1

uniform highp ivec2 quadrille_whole;
uniform highp ivec2 quadrille_stored;
uniform highp ivec2 quadrille_shift;
uniform highp ivec2 quadrille_reach;

int quadrille_farthest = 0;

ivec2 quadrille_texel() {
    return ivec2(gl_FragCoord.xy) + quadrille_shift;
}

vec4 quadrille_position() {
    return gl_FragCoord + vec4(vec2(quadrille_shift), 0.0, 0.0);
}

// The distance along one axis, the nearer way round.
int quadrille_distance(int d, int whole, int reach) {
    int round = d - sign(d) * whole;
    int nearer = abs(d) > reach && abs(round) < abs(d) ? round : d;
    if (abs(nearer) > reach) {
        quadrille_farthest = max(quadrille_farthest, abs(nearer));
        return 0;
    }
    return nearer;
}

// Where the panel's texture stores a texel of the array.
ivec2 quadrille_place(ivec2 p) {
    ivec2 d = p - quadrille_texel();
    return ivec2(gl_FragCoord.xy) + ivec2(quadrille_distance(d.x, quadrille_whole.x, quadrille_reach.x),
                                          quadrille_distance(d.y, quadrille_whole.y, quadrille_reach.y));
}

bool quadrille_is_outside(ivec2 p) {
    return any(lessThan(p, ivec2(0))) || any(greaterThanEqual(p, quadrille_whole));
}

vec4 quadrille_fetch(sampler2D image, ivec2 p) {
    if (textureSize(image, 0) != quadrille_stored) return texelFetch(image, p, 0);
    return quadrille_is_outside(p) ? vec4(0.0) : texelFetch(image, quadrille_place(p), 0);
}

ivec4 quadrille_fetch(isampler2D image, ivec2 p) {
    if (textureSize(image, 0) != quadrille_stored) return texelFetch(image, p, 0);
    return quadrille_is_outside(p) ? ivec4(0) : texelFetch(image, quadrille_place(p), 0);
}

uvec4 quadrille_fetch(usampler2D image, ivec2 p) {
    if (textureSize(image, 0) != quadrille_stored) return texelFetch(image, p, 0);
    return quadrille_is_outside(p) ? uvec4(0u) : texelFetch(image, quadrille_place(p), 0);
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

ivec2 quadrille_seen(ivec2 size) {
    return size == quadrille_stored ? quadrille_whole : size;
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
#undef TEXEL
#define TEXEL quadrille_texel()
