// Complex numbers as vec2, and two of them as vec4.
//
// Provides  times(a, w)   the product of a, one or two complex numbers, and the complex number w

vec2 times(vec2 a, vec2 w) { return vec2(a.x * w.x - a.y * w.y, a.x * w.y + a.y * w.x); }
vec4 times(vec4 a, vec2 w) { return vec4(times(a.xy, w), times(a.zw, w)); }
