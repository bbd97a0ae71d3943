// Stands in front of a text of the Interactive Shader Format, whose functions are macros for these:
//
//   quadrille_IMG_NORM_PIXEL(image, c)      the sample at c, 0 to 1 across the image
//   quadrille_IMG_PIXEL(image, p)           the same at p, in texels; the texel itself where p is its centre
//   quadrille_IMG_THIS_PIXEL(image)         the same at isf_FragNormCoord, the coordinate of the fragment; the texel itself where
//                                           the image is as large as the target
//   quadrille_IMG_THIS_NORM_PIXEL(image)    the same
//   quadrille_IMG_SIZE(image)               the width and the height
//
// QUADRILLE_VERTEX     if defined, the text is a vertex shader, which has no fragment
// QUADRILLE_VERTICES   if defined, the text has a vertex shader of its own, which may move the coordinate
//
// A filter would mix a little of the neighbours into a texel, since coordinates are rounded.

vec4 quadrille_IMG_NORM_PIXEL(sampler2D image, vec2 c) {
    return texture(image, c);
}

vec4 quadrille_IMG_PIXEL(sampler2D image, vec2 p) {
    vec2 size = vec2(textureSize(image, 0));
    bool inside = all(greaterThan(p, vec2(0.0))) && all(lessThan(p, size));
    if (inside && fract(p) == vec2(0.5)) {
        return texelFetch(image, ivec2(p), 0);
    }
    return texture(image, p / size);
}

#ifdef QUADRILLE_VERTEX
vec4 quadrille_IMG_THIS_PIXEL(sampler2D image) {
    return texture(image, isf_FragNormCoord);
}
#else
vec4 quadrille_IMG_THIS_PIXEL(sampler2D image) {
    ivec2 target = ivec2(gl_FragCoord.xy / isf_FragNormCoord + 0.5);
    bool alike = textureSize(image, 0) == target;
#ifdef QUADRILLE_VERTICES
    // Corners that were moved take the coordinate with them.
    vec2 away = isf_FragNormCoord * vec2(textureSize(image, 0)) - gl_FragCoord.xy;
    alike = alike && all(lessThan(abs(away), vec2(1.0 / 128.0)));
#endif
    if (alike) {
        return texelFetch(image, ivec2(gl_FragCoord.xy), 0);
    }
    return texture(image, isf_FragNormCoord);
}
#endif

vec4 quadrille_IMG_THIS_NORM_PIXEL(sampler2D image) {
    return quadrille_IMG_THIS_PIXEL(image);
}

vec2 quadrille_IMG_SIZE(sampler2D image) {
    return vec2(textureSize(image, 0));
}
