// The bands of diffusion by a coefficient at each point, with the sums of rows in the middle: minus the harmonic means of the coefficients
// of neighbours. A row has a sum at the edge of the grid alone, where the flux to the zeros around it is by the coefficient of the point itself.
//
// Inputs    k, the coefficients of a panel's points with a texel more on each side, where beyond the grid is that of the nearest point;
//           size, the extent of the panel in texels; rectangle: the column and the row of its first point, and the points of the grid along
//           x and y
// Defines   those of include/band_place.glsl
// Output    nine texels for each one of the panel
// Source: Patankar, "Numerical heat transfer and fluid flow" (1980), 4.2-3.
uniform sampler2D k;
uniform ivec2 size;
uniform ivec4 rectangle;
out vec4 value;
#include "include/band_place.glsl"

vec4 at(ivec2 place) { return READ(k, place + 1); }

vec4 mean(vec4 a, vec4 b) {
    vec4 less = min(a, b);
    return less / (0.5 + 0.5 * (less / max(a, b)));
}

// 1 where it is true.
vec4 ones(bvec4 places) { return vec4(places); }

vec4 number(int band, ivec2 place) {
    vec4 here = at(place);
    ivec4 columns = rectangle.x + 4 * place.x + ivec4(0, 1, 2, 3);
    int row = rectangle.y + place.y;
    vec4 inside = ones(lessThan(columns, ivec4(rectangle.z)));
    vec4 is_first = ones(equal(columns, ivec4(0)));
    vec4 is_last = ones(equal(columns, ivec4(rectangle.z - 1)));
    float is_lowest = row == 0 ? 1.0 : 0.0;
    float is_highest = row == rectangle.w - 1 ? 1.0 : 0.0;
    if (band == 4) {
        return inside * here * (is_first + is_last + is_lowest + is_highest);
    }
    if (band == 1) {
        return inside * (is_lowest - 1.0) * mean(here, at(place - ivec2(0, 1)));
    }
    if (band == 7) {
        return inside * (is_highest - 1.0) * mean(here, at(place + ivec2(0, 1)));
    }
    if (band == 3) {
        return inside * (is_first - 1.0) * mean(here, vec4(at(place - ivec2(1, 0)).w, here.xyz));
    }
    if (band == 5) {
        return inside * (is_last - 1.0) * mean(here, vec4(here.yzw, at(place + ivec2(1, 0)).x));
    }
    return vec4(0.0);
}

void main() {
    ivec2 place;
    int band = band_at(TEXEL, size, place);
    value = number(band, place);
}
