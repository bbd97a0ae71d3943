// The factors with which a step of parallel cyclic reduction adds to each row those before and after it, so that its couplings to them
// vanish, and the couplings at twice the distance that take their place.
//
// Inputs    lower, upper, the couplings at a distance; reciprocals, of the diagonal; by, the distance along x or y
// Defines   those of include/each_texel.glsl
// Output    of four points: the factors of the rows before and after, and the new couplings before and after
// Source: see elimination.frag.
#define TARGETS 4
uniform sampler2D lower;
uniform sampler2D upper;
uniform sampler2D reciprocals;
uniform ivec2 by;
#include "include/each_texel.glsl"
#include "include/shifted.glsl"

vec4 before() { return -READ(lower, TEXEL) * shifted(reciprocals, -by); }

vec4 after() { return -READ(upper, TEXEL) * shifted(reciprocals, by); }

void main() {
    WRITE_ALL(before(), after(), before() * shifted(lower, -by), after() * shifted(upper, by));
}
