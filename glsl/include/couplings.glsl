// The couplings of four points of a three-dimensional grid to themselves and their 26 neighbours, in the form that an operator has.
//
// Requires  include/grid3.glsl
// Defines   KINDS          they depend on the kind of a point alone (include/kinds.glsl); else a number is stored for each point
//           STAR           as in include/star.glsl
//           INNER, WIDE    as in include/kinds.glsl
// Inputs    shape, of the grid; across, the texels of the image of one number along x; bands: the images of all numbers, side by
//           side; or (KINDS) width, the points of a line; kinds: for each kind 27 numbers and the reciprocal of the sum of the row's
//           magnitudes; border: how many kinds are at each end of an axis; or (INNER) inner: those of lines inside
// Provides  IS_COUPLED, SLOT             include/star.glsl
//           coupling(k, place)           number k of four points, or (KINDS) number 27, the reciprocal
uniform ivec4 shape;

#include "include/star.glsl"

#ifdef KINDS
uniform int width;
#include "include/kinds.glsl"
#ifdef INNER
uniform vec3 inner[28];
vec4 coupling(int k, ivec3 place) { return of_ends(inner[k], place, width); }
#else
uniform int border;
uniform sampler2D kinds;
vec4 coupling(int k, ivec3 place) { return of_kinds(kinds, k, place, shape, width, border); }
#endif
#else
uniform sampler2D bands;
uniform int across;
vec4 coupling(int k, ivec3 place) { return READ(bands, TEXEL + ivec2(SLOT(k) * across, 0)); }
#endif
