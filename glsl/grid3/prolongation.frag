// The interpolation of a vector of a coarser grid along one axis.
//
// Inputs    e, the vector; x, a vector of the finer grid (ADDS); fine, coarse: the shapes of the grids; fine_width, the points of a line of
//           the finer one; the weights (include/weights_of.glsl)
// Defines   AXIS, 0, 1 or 2; ADDS, x is added; those of include/weights_of.glsl, include/grid3.glsl and include/each_texel.glsl
// Output    P e, or x + P e
// Source: Dendy, "Black box multigrid", J. Comput. Phys. 48 (1982), along one axis.
uniform sampler2D e;
uniform ivec4 fine;
uniform ivec4 coarse;
uniform int fine_width;
#include "include/each_texel.glsl"
#include "include/grid3.glsl"
#include "include/weights_of.glsl"
#ifdef ADDS
uniform sampler2D x;
#endif

// What the coarse points at a place give to those before them, to themselves and to those behind.
void give(ivec3 place, out vec4 before, out vec4 here, out vec4 behind) {
    ivec3 inside = clamp(place, ivec3(0), coarse.xyz - 1);
#ifdef INNER
    inside.yz = place.yz;
#endif
    ivec2 texel = texel_of(inside, coarse);
    here = inside == place ? READ(e, texel) : vec4(0.0);
    before = weight_of(0, inside, texel) * here;
    behind = weight_of(1, inside, texel) * here;
}

vec4 prolonged(ivec3 place) {
    vec4 before, here, behind, of_last, last, from_last;
#if AXIS == 0
    int point = place.x >> 1;
    give(ivec3(point, place.yz), before, here, behind);
    int other = point - 1;
    int lane = 3;
#ifdef WRAPS_X
    int end = fine_width / 2 - 1;
    lane = point == 0 ? end & 3 : 3;
    other = point == 0 ? end >> 2 : other;
#endif
    give(ivec3(other, place.yz), of_last, last, from_last);
    bool is_odd = (place.x & 1) == 1;
    vec4 of_even = vec4(from_last[lane] + before.x, here.x, behind.x + before.y, here.y);
    return is_odd ? vec4(behind.y + before.z, here.z, behind.z + before.w, here.w) : of_even;
#else
    ivec3 axis = AXIS == 1 ? ivec3(0, 1, 0) : ivec3(0, 0, 1);
    int at = AXIS == 1 ? place.y : place.z;
    ivec3 own = place - axis * (at - (at >> 1));
    give(own, before, here, behind);
    ivec3 other = own - axis;
#if AXIS == 1 && defined(WRAPS_Y)
    other.y = wrapped(other.y, coarse.y);
#elif AXIS == 2 && defined(WRAPS_Z)
    other.z = wrapped(other.z, coarse.z);
#endif
    give(other, of_last, last, from_last);
    return (at & 1) == 1 ? here : before + from_last;
#endif
}

void main() {
    ivec3 place = place_of(TEXEL, fine);
    vec4 result = masked(prolonged(place), place, fine, fine_width);
#ifdef ADDS
    result += READ(x, TEXEL);
#endif
    WRITE(result);
}
