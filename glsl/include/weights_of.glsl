// The weights of an interpolation along one axis, for four points of the coarser grid.
//
// Requires  include/grid3.glsl; coarse, its shape
// Defines   KINDS          they depend on the kind of a point alone (include/kinds.glsl); else they are stored for each point
//           INNER, WIDE    as in include/kinds.glsl
// Inputs    weights, two images side by side of `coarse_across` texels along x each; or (KINDS) coarse_width, the points of a line;
//           weight_kinds: two weights for each kind; weight_border: how many kinds are at each end of an axis;
//           or (INNER) inner_weights: those of lines inside
// Provides  weight_of(side, place, texel)   with what the points enter those before them (side 0) or behind them (side 1)
#ifdef KINDS
uniform int coarse_width;
#include "include/kinds.glsl"
#ifdef INNER
uniform vec3 inner_weights[2];
vec4 weight_of(int side, ivec3 place, ivec2 texel) { return of_ends(inner_weights[side], place, coarse_width); }
#else
uniform int weight_border;
uniform sampler2D weight_kinds;
vec4 weight_of(int side, ivec3 place, ivec2 texel) {
    return of_kinds(weight_kinds, side, place, coarse, coarse_width, weight_border);
}
#endif
#else
uniform sampler2D weights;
uniform int coarse_across;

vec4 weight_of(int side, ivec3 place, ivec2 texel) { return READ(weights, texel + ivec2(side * coarse_across, 0)); }
#endif
