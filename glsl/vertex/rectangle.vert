// Draws a rectangle, a line or tiles of texels. It has no outputs: fragments know their texel by gl_FragCoord.
#include "include/rectangle.glsl"

void main() {
    gl_Position = on_target(corner());
}
