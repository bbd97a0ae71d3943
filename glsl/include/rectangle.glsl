// The corners of a quad (a strip of four vertices) or a line (two), for vertex shaders.
//
// quadrille_rectangle   x0, y0, x1, y1 in texels (an attribute: constant, or one for each quad)
// quadrille_scale       2 / width and 2 / height of the target
// corner()              the position of this vertex in texels; a line has the first two corners, from y0 to y1
// on_target(place)      a position in clip coordinates

in vec4 quadrille_rectangle;
uniform vec2 quadrille_scale;

vec2 corner() {
    bvec2 far = bvec2(gl_VertexID >> 1, gl_VertexID & 1);
    return mix(quadrille_rectangle.xy, quadrille_rectangle.zw, vec2(far));
}

vec4 on_target(vec2 place) {
    return vec4(place * quadrille_scale - 1.0, 0.0, 1.0);
}
