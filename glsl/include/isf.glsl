// Stands in front of a text of the Interactive Shader Format, whose functions are macros for these:
//
//   quadrille_IMG_NORM_PIXEL(image, c)      the sample at c, 0 to 1 across the image
//   quadrille_IMG_PIXEL(image, p)           the same at p, in texels
//   quadrille_IMG_THIS_PIXEL(image)         the same at isf_FragNormCoord, the coordinate of the fragment
//   quadrille_IMG_THIS_NORM_PIXEL(image)    the same
//   quadrille_IMG_SIZE(image)               the width and the height

vec4 quadrille_IMG_NORM_PIXEL(sampler2D image, vec2 c) {
    return texture(image, c);
}

vec4 quadrille_IMG_PIXEL(sampler2D image, vec2 p) {
    return texture(image, p / vec2(textureSize(image, 0)));
}

vec4 quadrille_IMG_THIS_PIXEL(sampler2D image) {
    return texture(image, isf_FragNormCoord);
}

vec4 quadrille_IMG_THIS_NORM_PIXEL(sampler2D image) {
    return texture(image, isf_FragNormCoord);
}

vec2 quadrille_IMG_SIZE(sampler2D image) {
    return vec2(textureSize(image, 0));
}
