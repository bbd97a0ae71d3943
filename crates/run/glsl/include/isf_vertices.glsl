// Stands in front of the vertex shader of a text of the Interactive Shader Format.
//
// quadrille_rectangle, quadrille_scale   as in include/rectangle.glsl
// quadrille_init()            places this corner of the target, and sets isf_FragNormCoord, 0 to 1 across the target
// QUADRILLE_WATCHED           if defined, include/loop_budget.glsl comes before it, and quadrille_tell_of_loops() tells the
//                             fragments whether the device ended the loops of a corner early; such a corner stays in its
//                             place, so that there are fragments that are told
in vec4 quadrille_rectangle;
uniform vec2 quadrille_scale;

void quadrille_init() {
    vec2 quadrille_far = vec2(gl_VertexID >> 1, gl_VertexID & 1);
    vec2 quadrille_corner = mix(quadrille_rectangle.xy, quadrille_rectangle.zw, quadrille_far);
    vec2 quadrille_at = 0.5 * quadrille_scale * quadrille_corner;
    gl_Position = vec4(2.0 * quadrille_at - 1.0, 0.0, 1.0);
    isf_FragNormCoord = quadrille_at;
}

#ifdef QUADRILLE_WATCHED
out float quadrille_corner_ended;

void quadrille_tell_of_loops() {
    quadrille_corner_ended = 0.0;
    if (!quadrille_budget_is_left()) {
        quadrille_init();
        quadrille_corner_ended = 1.0;
    }
}
#endif
