// Eight values of four numbers for the rasterizer to interpolate, as many as the period's sets of
// texture coordinates. Value k is k + 1 times the place in texels, as x, y, y, x. Output: value.
#include "include/rectangle.glsl"
out vec4 value[8];

void main() {
    for (int k = 0; k < 8; k++) {
        value[k] = float(k + 1) * vec4(corner(), corner().yx);
    }
    gl_Position = on_target(corner());
}
