// The bands of diffusion by a coefficient at each point, or at each face between two, with the sums of rows in the middle: minus the
// harmonic means of the coefficients of neighbours, or minus the coefficients at the faces. A row has a sum at the edge of its matrix alone: the
// flux to what is around it.
//
// Defines   FACES; those of include/band_place.glsl
// Inputs    k, the coefficients of a panel's points with a texel more on each side, where beyond the grid is that of the nearest point;
//           or (FACES) along_x, those at the faces to the left of a panel's points, with a texel more on the right, and along_y, those at the faces
//           below, with a line more above;
//           size, the extent of the panel in texels; rectangle: the column and the row of its first point, and the points of the matrix along x
//           and y
// Output    nine texels for each one of the panel
// Source: Patankar, "Numerical heat transfer and fluid flow" (1980), 4.2-3.
uniform ivec2 size;
uniform ivec4 rectangle;
out vec4 value;
#include "include/band_place.glsl"

#ifdef FACES
uniform sampler2D along_x;
uniform sampler2D along_y;

vec4 to_left(ivec2 place) { return READ(along_x, place); }

vec4 to_right(ivec2 place) { return vec4(READ(along_x, place).yzw, READ(along_x, place + ivec2(1, 0)).x); }

vec4 to_below(ivec2 place) { return READ(along_y, place); }

vec4 to_above(ivec2 place) { return READ(along_y, place + ivec2(0, 1)); }
#else
uniform sampler2D k;

vec4 at(ivec2 place) { return READ(k, place + 1); }

vec4 mean(vec4 a, vec4 b) {
    vec4 less = min(a, b);
    return less / (0.5 + 0.5 * (less / max(a, b)));
}

vec4 to_left(ivec2 place) { return mean(at(place), vec4(at(place - ivec2(1, 0)).w, at(place).xyz)); }

vec4 to_right(ivec2 place) { return mean(at(place), vec4(at(place).yzw, at(place + ivec2(1, 0)).x)); }

vec4 to_below(ivec2 place) { return mean(at(place), at(place - ivec2(0, 1))); }

vec4 to_above(ivec2 place) { return mean(at(place), at(place + ivec2(0, 1))); }
#endif

// 1 where it is true.
vec4 ones(bvec4 places) { return vec4(places); }

vec4 number(int band, ivec2 place) {
    ivec4 columns = rectangle.x + 4 * place.x + ivec4(0, 1, 2, 3);
    int row = rectangle.y + place.y;
    vec4 inside = ones(lessThan(columns, ivec4(rectangle.z)));
    vec4 is_first = ones(equal(columns, ivec4(0)));
    vec4 is_last = ones(equal(columns, ivec4(rectangle.z - 1)));
    float is_lowest = row == 0 ? 1.0 : 0.0;
    float is_highest = row == rectangle.w - 1 ? 1.0 : 0.0;
    if (band == 4) {
        vec4 along_row = is_first * to_left(place) + is_last * to_right(place);
        return inside * (is_lowest * to_below(place) + along_row + is_highest * to_above(place));
    }
    if (band == 1) {
        return inside * (is_lowest - 1.0) * to_below(place);
    }
    if (band == 7) {
        return inside * (is_highest - 1.0) * to_above(place);
    }
    if (band == 3) {
        return inside * (is_first - 1.0) * to_left(place);
    }
    if (band == 5) {
        return inside * (is_last - 1.0) * to_right(place);
    }
    return vec4(0.0);
}

void main() {
    ivec2 place;
    int band = band_at(TEXEL, size, place);
    value = number(band, place);
}
