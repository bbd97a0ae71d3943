// A line along a column of texels: through their centres or at another place, up or down.
// Uniforms: shift, from the centres, in texels; reversed_from, the height of a line that is drawn
// from top to bottom, else 0.
#include "include/rectangle.glsl"
uniform float shift;
uniform float reversed_from;

void main() {
    vec2 place = corner();
    if (reversed_from > 0.0) place.y = reversed_from - place.y;
    gl_Position = on_target(place + vec2(shift, 0.0));
}
