// Where points are coupled much more strongly along one axis than along the other.
//
// Inputs    along_x, along_y, the strengths of couplings (rows.frag)
// Defines   those of include/each_texel.glsl
// Output    1 or 0 for each of four points
uniform sampler2D along_x;
uniform sampler2D along_y;
#include "include/each_texel.glsl"

const float STRONGER = 4.0;

vec4 one_sided() {
    vec4 x = READ(along_x, TEXEL);
    vec4 y = READ(along_y, TEXEL);
    return mix(vec4(0.0), vec4(1.0), greaterThan(max(x, y), STRONGER * min(x, y)));
}

#ifndef GROUP_X
void main() {
    WRITE(one_sided());
}
#endif
