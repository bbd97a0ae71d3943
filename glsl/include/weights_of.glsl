// The weights of an interpolation along one axis, for four points of the coarser grid.
//
// Requires  include/grid3.glsl; coarse, its shape
// Defines   KINDS          they depend on the kind of a point alone (include/kinds.glsl); else they are stored for each point
// Inputs    weights, two images side by side of `coarse_across` texels along x each; or (KINDS) coarse_width, the points of a line, and
//           those of include/kinds.glsl: two weights for each kind
// Provides  weight_of(side, place, texel)   with what the points enter those before them (side 0) or behind them (side 1)
#ifdef KINDS
uniform int coarse_width;
#define NUMBERS 2
#ifdef INNER
uniform vec3 inner[2];
#endif
#include "include/kinds.glsl"
vec4 weight_of(int side, ivec3 place, ivec2 texel) { return of_kind(side, place, coarse, coarse_width); }
#else
uniform sampler2D weights;
uniform int coarse_across;

vec4 weight_of(int side, ivec3 place, ivec2 texel) { return READ(weights, texel + ivec2(side * coarse_across, 0)); }
#endif
