// The centres of a texel and its two neighbours along x and along y, as the coordinates by which
// image is read; the rasterizer interpolates them, as in jacobi/neighbours.vert.
// Inputs: image. Outputs: column, line.
#include "include/rectangle.glsl"
uniform isampler2D image;
out vec3 column;
out vec3 line;

void main() {
    vec2 before = COORDINATE(image, corner() - 1.0);
    vec2 here = COORDINATE(image, corner());
    vec2 after = COORDINATE(image, corner() + 1.0);
    column = vec3(before.x, here.x, after.x);
    line = vec3(before.y, here.y, after.y);
    gl_Position = on_target(corner());
}
