// The couplings of four points of a three-dimensional grid to themselves and their 26 neighbours, in the form that an operator has.
//
// Requires  include/grid3.glsl
// Defines   KINDS          they depend on the kind of a point alone (include/kinds.glsl); else a number is stored for each point
//           STAR           as in include/star.glsl
//           INNER          (KINDS) all points are inside
// Inputs    shape, of the grid; across, the texels of the image of one number along x; bands: the images of all numbers, side by
//           side; or (KINDS) width, the points of a line; kinds: for each kind 27 numbers and the reciprocal of the sum of the row's
//           magnitudes; border: how many kinds are at each end of an axis; or (INNER) inner: the numbers of points inside
// Provides  IS_COUPLED, SLOT             include/star.glsl
//           coupling(k, place)           number k of four points, or (KINDS) number 27, the reciprocal
uniform ivec4 shape;

#include "include/star.glsl"

#if defined(KINDS) && defined(INNER)
uniform float inner[28];

vec4 coupling(int k, ivec3 place) { return vec4(inner[k]); }
#elif defined(KINDS)
uniform int width;
uniform int border;
uniform sampler2D kinds;
#include "include/kinds.glsl"

vec4 coupling(int k, ivec3 place) { return of_kinds(kinds, k / 4, k % 4, place, shape, width, border); }
#else
uniform sampler2D bands;
uniform int across;

vec4 coupling(int k, ivec3 place) { return READ(bands, TEXEL + ivec2(SLOT(k) * across, 0)); }
#endif
