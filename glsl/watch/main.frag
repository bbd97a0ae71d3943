// Follows a user's fragment shader, with include/watch.glsl before it: runs it, and reports whether the device ended its
// loops early, in this pass or an earlier one, or with include/panels.glsl how far it read beyond what a panel stores.
//
// quadrille_before   what earlier passes reported
// QUADRILLE_PLACE    the location after the user's outputs
// QUADRILLE_VERTICES  if defined, the vertex shader is the user's too, and tells of its loops in quadrille_corner_ended
// Output: quadrille_stopped, 1 where loops were ended early; the distance of the farthest read, at most 254, divided by 255;
//                    else 0.
#undef main
#undef discard
#ifdef QUADRILLE_PANELS
#undef texelFetch
#undef gl_FragCoord
#endif
uniform highp sampler2D quadrille_before;
layout(location = QUADRILLE_PLACE) out highp float quadrille_stopped;

void main() {
    quadrille_users_main();
    bool quadrille_now = quadrille_ended || !quadrille_budget_is_left();
#ifdef QUADRILLE_VERTICES
    quadrille_now = quadrille_now || quadrille_corner_ended > 0.0;
#endif
    float quadrille_then = texelFetch(quadrille_before, ivec2(gl_FragCoord.xy), 0).r;
    quadrille_stopped = quadrille_now ? 1.0 : quadrille_then;
#ifdef QUADRILLE_PANELS
    quadrille_stopped = max(quadrille_stopped, float(min(quadrille_farthest, 254)) / 255.0);
#endif
}
