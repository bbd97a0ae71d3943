// A field on a torus between the centres of its texels, of which the first is at (0, 0). The weights are the shader's own:
// those of a texture unit have few bits.
vec4 bilinear(sampler2D field, vec2 place) {
    ivec2 cell = ivec2(floor(place));
    vec2 part = place - floor(place);
    vec4 below = mix(READ_WRAPPED(field, cell), READ_WRAPPED(field, cell + ivec2(1, 0)), part.x);
    vec4 above = mix(READ_WRAPPED(field, cell + ivec2(0, 1)), READ_WRAPPED(field, cell + ivec2(1, 1)), part.x);
    return mix(below, above, part.y);
}
