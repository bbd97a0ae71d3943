// Draws as rectangle.vert does, and outputs the coordinate across the target. It includes nothing and defines few
// names, since the name of its output is the user's.
//
// quadrille_rectangle, quadrille_scale   as in include/rectangle.glsl
// PLACE   the name of the output, an `in vec2` of the fragment shader
// QUADRILLE_PANELS    if defined, the target is a panel of an array, as include/panels.glsl has it, and the output is the
//                     coordinate across the array
// QUADRILLE_SURFACE   if defined, the output is 0 in the middle, and 1 unit is the height
// QUADRILLE_TEXELS    if defined, the output counts texels, as gl_FragCoord does
// Output PLACE: 0 to 1 along x and y; at the centre of texel (x, y) of w by h it is
//              ((x + 0.5) / w, (y + 0.5) / h) to rounding, which `texture` takes for that texel

in vec4 quadrille_rectangle;
uniform vec2 quadrille_scale;
#ifdef QUADRILLE_PANELS
uniform highp ivec2 quadrille_whole;
uniform highp ivec2 quadrille_shift;
#endif
out vec2 PLACE;

void main() {
    vec2 quadrille_far = vec2(gl_VertexID >> 1, gl_VertexID & 1);
    vec2 quadrille_corner = mix(quadrille_rectangle.xy, quadrille_rectangle.zw, quadrille_far);
    vec2 quadrille_at = 0.5 * quadrille_scale * quadrille_corner;
    gl_Position = vec4(2.0 * quadrille_at - 1.0, 0.0, 1.0);
    vec2 quadrille_shape = vec2(quadrille_scale.y / quadrille_scale.x, 1.0);
#ifdef QUADRILLE_PANELS
    quadrille_at = (quadrille_corner + vec2(quadrille_shift)) / vec2(quadrille_whole);
    quadrille_shape = vec2(float(quadrille_whole.x) / float(quadrille_whole.y), 1.0);
#endif
#if defined(QUADRILLE_TEXELS) && defined(QUADRILLE_PANELS)
    PLACE = quadrille_corner + vec2(quadrille_shift);
#elif defined(QUADRILLE_TEXELS)
    PLACE = quadrille_corner;
#elif defined(QUADRILLE_SURFACE)
    PLACE = (quadrille_at - 0.5) * quadrille_shape;
#else
    PLACE = quadrille_at;
#endif
}
