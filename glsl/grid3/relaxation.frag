// A x of an operator on a three-dimensional grid, the residual b - A x, or a sweep of Jacobi's iteration: x + w s (b - A x), where s
// has the reciprocals of the sums of magnitudes of rows.
//
// The product is a sum over differences to the neighbours, and the sum of the row times x: so it is exact where x is constant
// and rows sum to zero.
//
// Inputs    x; b (all but the product); the couplings (include/couplings.glsl); factor, which is w, and scaling, which is s unless KINDS (sweeps)
// Defines   RESIDUAL or SWEEP; FROM_ZERO, a sweep where x is zero and not read; those of include/couplings.glsl, include/grid3.glsl and include/each_texel.glsl
// Output    four numbers of the result
#include "include/each_texel.glsl"
#include "include/grid3.glsl"
#include "include/couplings.glsl"
uniform sampler2D x;
#if defined(RESIDUAL) || defined(SWEEP) || defined(FROM_ZERO)
uniform sampler2D b;
#endif
#if defined(SWEEP) || defined(FROM_ZERO)
uniform float factor;
#endif
#ifdef KINDS
vec4 reciprocal(ivec3 place) { return coupling(27, place); }
#elif defined(SWEEP) || defined(FROM_ZERO)
uniform sampler2D scaling;
vec4 reciprocal(ivec3 place) { return READ(scaling, TEXEL); }
#endif
#ifndef KINDS
uniform int width;
#endif

// The texel that is (j, l) away along y and z. Beyond the grid it is any: its coupling is zero.
ivec2 line_at(ivec3 place, int j, int l) {
#ifdef WRAPS_Y
    j = wrapped(place.y + j, shape.y) - place.y;
#endif
#ifdef WRAPS_Z
    l = wrapped(place.z + l, shape.z) - place.z;
#endif
#ifdef STACKS
    return texel_of(ivec3(place.x, place.y + j, clamp(place.z + l, 0, shape.z - 1)), shape);
#else
    return TEXEL + ivec2(0, l * shape.y + j);
#endif
}

vec4 to_left(ivec3 place, ivec2 texel, vec4 here) {
    vec4 beside = READ_CLAMPED(x, texel - ivec2(1, 0));
    vec4 left = vec4(beside.w, here.xyz);
#ifdef WRAPS_X
    ivec2 end = texel + ivec2(shape.x - 1 - place.x, 0);
    vec4 last = READ_CLAMPED(x, end);
    left.x = place.x == 0 ? last[(width - 1) & 3] : left.x;
#endif
    return left;
}

vec4 to_right(ivec3 place, ivec2 texel, vec4 here) {
    vec4 beside = READ_CLAMPED(x, texel + ivec2(1, 0));
    vec4 right = vec4(here.yzw, beside.x);
#ifdef WRAPS_X
    vec4 first = READ_CLAMPED(x, texel - ivec2(place.x, 0));
    right = mix(right, first.xxxx, equal(columns_of(place), ivec4(width - 1)));
#endif
    return right;
}

// What the points to the left and to the right in a line add.
vec4 of_sides(ivec3 place, ivec2 texel, vec4 here, int k) {
    vec4 middle = READ(x, TEXEL);
    vec4 left = coupling(k - 1, place) * (to_left(place, texel, here) - middle);
    return left + coupling(k + 1, place) * (to_right(place, texel, here) - middle);
}

// What the line that is (j, l) away along y and z adds.
vec4 of_line(ivec3 place, int j, int l) {
    int k = 9 * l + 3 * j + 13;
    ivec2 texel = line_at(place, j, l);
    vec4 here = READ_CLAMPED(x, texel);
    vec4 sum = coupling(k, place) * (here - READ(x, TEXEL));
#ifndef STAR
    sum += of_sides(place, texel, here, k);
#endif
    return sum;
}

// Written out, so that the number of each coupling is a constant.
vec4 product(ivec3 place) {
    vec4 middle = READ(x, TEXEL);
    vec4 sum = coupling(13, place) * middle + of_sides(place, TEXEL, middle, 13);
    sum += of_line(place, -1, 0) + of_line(place, 1, 0);
    sum += of_line(place, 0, -1) + of_line(place, 0, 1);
#ifndef STAR
    sum += of_line(place, -1, -1) + of_line(place, 1, 1);
    sum += of_line(place, 1, -1) + of_line(place, -1, 1);
#endif
    return sum;
}

vec4 relaxed(ivec3 place) {
#if defined(FROM_ZERO)
    return factor * reciprocal(place) * READ(b, TEXEL);
#elif defined(SWEEP)
    return READ(x, TEXEL) + factor * reciprocal(place) * (READ(b, TEXEL) - product(place));
#elif defined(RESIDUAL)
    return READ(b, TEXEL) - product(place);
#else
    return product(place);
#endif
}

void main() {
    ivec3 place = place_of(TEXEL, shape);
    WRITE(masked(relaxed(place), place, shape, width));
}
