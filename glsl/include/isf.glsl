// Stands in front of a text of the Interactive Shader Format, whose functions are macros for these:
//
//   quadrille_IMG_NORM_PIXEL(image, c)      the sample at c, 0 to 1 across the image
//   quadrille_IMG_PIXEL(image, p)           the same at p, in texels; the texel itself where p is its centre
//   quadrille_IMG_THIS_PIXEL(image)         the same at isf_FragNormCoord, the coordinate of the fragment; the texel itself where
//                                           the image is as large as the target
//   quadrille_IMG_THIS_NORM_PIXEL(image)    the same
//   quadrille_IMG_SIZE(image)               the width and the height
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

vec4 quadrille_IMG_THIS_PIXEL(sampler2D image) {
    ivec2 target = ivec2(gl_FragCoord.xy / isf_FragNormCoord + 0.5);
    if (textureSize(image, 0) == target) {
        return texelFetch(image, ivec2(gl_FragCoord.xy), 0);
    }
    return texture(image, isf_FragNormCoord);
}

vec4 quadrille_IMG_THIS_NORM_PIXEL(sampler2D image) {
    return quadrille_IMG_THIS_PIXEL(image);
}

vec2 quadrille_IMG_SIZE(sampler2D image) {
    return vec2(textureSize(image, 0));
}
