// What is needed of the rows of a matrix on a three-dimensional grid to smooth with it and to coarsen it.
//
// Inputs    the couplings (include/couplings.glsl), stored; several: for each axis, 1 where it has several points, else 0
// Defines   those of include/couplings.glsl, include/grid3.glsl and include/each_texel.glsl
// Output    the reciprocals of the sums of magnitudes of rows, 0 where a device may take the number or its reciprocal for zero; and sums over
//           the four points: how strongly they are coupled along x, y and z (the magnitudes of couplings to both sides, added up
//           across the axis, over the diagonal, at most 4), and how many of them much more strongly along one axis than along another
#define TARGETS 2
#include "include/each_texel.glsl"
#include "include/grid3.glsl"
#include "include/couplings.glsl"
uniform ivec3 several;

const float LEAST = 1.2e-38;
const float MOST = 8.5e37;
const float STRONGEST = 4.0;
// How many times as strong couplings along one axis must be for a point to count as one-sided.
const float STRONGER = 4.0;

vec4 over(vec4 above, vec4 below, float most) {
    vec4 usable = vec4(greaterThan(below, vec4(LEAST))) * vec4(lessThan(below, vec4(MOST)));
    return usable * min(above / max(below, vec4(LEAST)), most);
}

// The sums of couplings to the two sides of x, y and z.
vec4 sides[6];
vec4 diagonal;
vec4 magnitude;

void visit(int i, int j, int l, ivec3 place) {
    vec4 number = coupling(9 * l + 3 * j + i + 13, place);
    diagonal -= number;
    magnitude += abs(number);
    if (i != 0) {
        sides[i < 0 ? 0 : 1] += number;
    }
    if (j != 0) {
        sides[j < 0 ? 2 : 3] += number;
    }
    if (l != 0) {
        sides[l < 0 ? 4 : 5] += number;
    }
}

#include "include/visit_all.glsl"

void main() {
    ivec3 place = place_of(TEXEL, shape);
    for (int side = 0; side < 6; ++side) {
        sides[side] = vec4(0.0);
    }
    diagonal = coupling(13, place);
    magnitude = vec4(0.0);
    visit_all(place);
    vec4 scaling = over(vec4(1.0), magnitude + abs(diagonal), MOST);
    vec4 x = abs(sides[0]) + abs(sides[1]);
    vec4 y = abs(sides[2]) + abs(sides[3]);
    vec4 z = abs(sides[4]) + abs(sides[5]);
    vec4 none = vec4(3.0e38);
    vec4 least = min(several.x == 1 ? x : none, min(several.y == 1 ? y : none, several.z == 1 ? z : none));
    vec4 most = max(several.x == 1 ? x : vec4(0.0), max(several.y == 1 ? y : vec4(0.0), several.z == 1 ? z : vec4(0.0)));
    vec4 one_sided = vec4(greaterThan(most, STRONGER * least));
    vec4 divisor = abs(diagonal);
    vec4 measures = vec4(dot(over(x, divisor, STRONGEST), vec4(1.0)), dot(over(y, divisor, STRONGEST), vec4(1.0)),
        dot(over(z, divisor, STRONGEST), vec4(1.0)), dot(one_sided, vec4(1.0)));
    WRITE_ALL(scaling, measures);
}
