// The transpose of an interpolation along one axis times a vector of the finer grid.
//
// Along the axis the point c of the coarser grid is the point 2 c + 1 of the finer one, and enters the points 2 c and 2 c + 2.
//
// Inputs    x, the vector; fine, coarse: the shapes of the grids; fine_width, the points of a line of the finer one; the weights
//           (include/weights_of.glsl)
// Defines   AXIS, 0, 1 or 2; those of include/weights_of.glsl, include/grid3.glsl and include/each_texel.glsl
// Output    the vector of the coarser grid
// Source: Dendy, "Black box multigrid", J. Comput. Phys. 48 (1982), along one axis.
uniform sampler2D x;
uniform ivec4 fine;
uniform ivec4 coarse;
uniform int fine_width;
#include "include/each_texel.glsl"
#include "include/grid3.glsl"
#include "include/weights_of.glsl"

void main() {
    ivec3 place = place_of(TEXEL, coarse);
#if AXIS == 0
    ivec3 first = ivec3(2 * place.x, place.yz);
    vec4 a = number_at(x, 0, fine, first);
    vec4 b = number_at(x, 0, fine, first + ivec3(1, 0, 0));
    vec4 c = number_at(x, 0, fine, first + ivec3(2, 0, 0));
    vec4 before = vec4(a.xz, b.xz);
    vec4 middle = vec4(a.yw, b.yw);
    vec4 behind = vec4(a.z, b.xz, c.x);
#ifdef WRAPS_X
    vec4 start = number_at(x, 0, fine, ivec3(0, place.yz));
    behind = mix(behind, start.xxxx, equal(columns_of(place), ivec4(fine_width / 2 - 1)));
#endif
#else
    ivec3 beside = AXIS == 1 ? ivec3(0, 1, 0) : ivec3(0, 0, 1);
    ivec3 first = place * (ivec3(1) + beside);
    vec4 before = number_at(x, 0, fine, first);
    vec4 middle = number_at(x, 0, fine, first + beside);
    vec4 behind = number_at(x, 0, fine, first + 2 * beside);
#endif
    vec4 sum = middle + weight_of(0, place, TEXEL) * before + weight_of(1, place, TEXEL) * behind;
    WRITE(masked(sum, place, coarse, fine_width / (AXIS == 0 ? 2 : 1)));
}
