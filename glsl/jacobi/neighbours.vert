// Computes the coordinates of the neighbours, which are linear over the quad, so that the rasterizer interpolates
// them: three columns and three rows, six numbers for nine texels. With LAYOUT_PACKED also the coordinate of the
// first band and the step to the next.
// Source: Goeddeke 2005, "Including the vertex shader".
#include "include/rectangle.glsl"
uniform sampler2D x;
#ifdef LAYOUT_PACKED
uniform sampler2D bands;
out float first_band;
flat out float band_step;
#endif
out vec3 column;
out vec3 line;

void main() {
    vec2 before = COORDINATE(x, corner() - 1.0);
    vec2 here = COORDINATE(x, corner());
    vec2 after = COORDINATE(x, corner() + 1.0);
    column = vec3(before.x, here.x, after.x);
    line = vec3(before.y, here.y, after.y);
#ifdef LAYOUT_PACKED
    // Ten texels of bands for each of x; the first one's centre is at 10 (x - 0.5) + 0.5.
    first_band = COORDINATE(bands, vec2(10.0 * corner().x - 4.5, 0.0)).x;
    band_step = COORDINATE(bands, vec2(1.0, 0.0)).x;
#endif
    gl_Position = on_target(corner());
}
