// Stands in front of a text of WebGL 1 or GLSL 1.20, whose functions that sample are macros for these:
//
//   quadrille_texture2D(image, c)              the sample at c, 0 to 1 across the image
//   quadrille_texture2DProj(image, c)          the same at c.xy divided by the last of c
//   quadrille_texture2DLod, ...ProjLod         the same in a level of the image
//   quadrille_texture2DGrad, ...ProjGrad       the same
//   quadrille_texture2DRect(image, p)          the texel that contains p, in texels; outside, the nearest of the edge
//   quadrille_texture2DRectProj(image, p)      the same at p.xy divided by the last of p
//
// QUADRILLE_VERTEX   if defined, the text is a vertex shader, where nothing takes a bias
//
// Rectangle textures are ordinary ones here. Dividing by the size would round at the edges of texels, where their texel is
// the one to the right: it is fetched.

vec4 quadrille_texture2D(sampler2D image, vec2 c) {
    return texture(image, c);
}

#ifndef QUADRILLE_VERTEX
vec4 quadrille_texture2D(sampler2D image, vec2 c, float bias) {
    return texture(image, c, bias);
}
#endif

vec4 quadrille_texture2DProj(sampler2D image, vec3 c) {
    return textureProj(image, c);
}

vec4 quadrille_texture2DProj(sampler2D image, vec4 c) {
    return textureProj(image, c);
}

#ifndef QUADRILLE_VERTEX
vec4 quadrille_texture2DProj(sampler2D image, vec3 c, float bias) {
    return textureProj(image, c, bias);
}

vec4 quadrille_texture2DProj(sampler2D image, vec4 c, float bias) {
    return textureProj(image, c, bias);
}
#endif

vec4 quadrille_texture2DLod(sampler2D image, vec2 c, float level) {
    return textureLod(image, c, level);
}

vec4 quadrille_texture2DProjLod(sampler2D image, vec3 c, float level) {
    return textureProjLod(image, c, level);
}

vec4 quadrille_texture2DProjLod(sampler2D image, vec4 c, float level) {
    return textureProjLod(image, c, level);
}

vec4 quadrille_texture2DGrad(sampler2D image, vec2 c, vec2 along_x, vec2 along_y) {
    return textureGrad(image, c, along_x, along_y);
}

vec4 quadrille_texture2DProjGrad(sampler2D image, vec3 c, vec2 along_x, vec2 along_y) {
    return textureProjGrad(image, c, along_x, along_y);
}

vec4 quadrille_texture2DProjGrad(sampler2D image, vec4 c, vec2 along_x, vec2 along_y) {
    return textureProjGrad(image, c, along_x, along_y);
}

vec4 quadrille_texture2DRect(sampler2D image, vec2 p) {
    return texelFetch(image, clamp(ivec2(floor(p)), ivec2(0), textureSize(image, 0) - 1), 0);
}

vec4 quadrille_texture2DRectProj(sampler2D image, vec3 p) {
    return quadrille_texture2DRect(image, p.xy / p.z);
}

vec4 quadrille_texture2DRectProj(sampler2D image, vec4 p) {
    return quadrille_texture2DRect(image, p.xy / p.w);
}
