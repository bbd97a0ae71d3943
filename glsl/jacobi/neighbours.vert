// Hands each fragment where its neighbours are: they depend linearly on the corners of the quad, so
// the rasterizer works them out. Columns and rows go apart, three of each: nine places in six
// numbers.
// Source: Goeddeke, "Including the vertex shader".
#include "include/rectangle.glsl"
uniform sampler2D x;
out vec3 column;
out vec3 line;

void main() {
    vec2 before = COORDINATE(x, corner() - 1.0);
    vec2 here = COORDINATE(x, corner());
    vec2 after = COORDINATE(x, corner() + 1.0);
    column = vec3(before.x, here.x, after.x);
    line = vec3(before.y, here.y, after.y);
    gl_Position = on_target(corner());
}
