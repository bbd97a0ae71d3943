// A line along a column of texels: through their centres or at another place.
// Uniform: shift, from the centres, in texels.
#include "include/rectangle.glsl"
uniform float shift;

void main() {
    gl_Position = on_target(corner() + vec2(shift, 0.0));
}
