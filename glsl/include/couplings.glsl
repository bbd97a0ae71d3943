// The couplings of four points of a three-dimensional grid to themselves and their 26 neighbours, in the form that an operator has.
//
// Requires  include/grid3.glsl
// Defines   KINDS          they depend on the kind of a point alone (include/kinds.glsl); else a number is stored for each point
//           STAR           as in include/star.glsl
// Inputs    shape, of the grid; across, the texels of the image of one number along x; bands: the images of all numbers, side by
//           side; or (KINDS) width, the points of a line, and those of include/kinds.glsl: for each kind 27 numbers and the reciprocal of
//           the sum of the row's magnitudes
// Provides  IS_COUPLED, SLOT             include/star.glsl
//           coupling(k, place)           number k of four points, or (KINDS) number 27, the reciprocal
uniform ivec4 shape;

#include "include/star.glsl"

#ifdef KINDS
uniform int width;
#define NUMBERS 28
#ifdef INNER
uniform vec3 inner[28];
#endif
#include "include/kinds.glsl"
vec4 coupling(int k, ivec3 place) { return of_kind(k, place, shape, width); }
#else
uniform sampler2D bands;
uniform int across;
vec4 coupling(int k, ivec3 place) { return READ(bands, TEXEL + ivec2(SLOT(k) * across, 0)); }
#endif
