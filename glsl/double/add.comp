// x = x + factor c in double precision, or x = factor c, where c is a panel of a grid of 32-bit floats.
// Defines: GROUP_X, GROUP_Y. Inputs: c; its place (include/double_rows.glsl); the bits of the factor. Output: x.
#extension GL_ARB_gpu_shader_fp64 : require
layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;
layout(std430, binding = 0) buffer X { double x[]; };
uniform sampler2D c;
uniform uvec2 factor;
uniform int keep; // 0: x is replaced
#include "include/double_rows.glsl"

void main() {
    if (!is_owned()) {
        return;
    }
    vec4 correction = READ(c, PLACE);
    for (int lane = 0; lane < lanes(); lane++) {
        int i = first() + lane;
        double more = packDouble2x32(factor) * double(correction[lane]);
        x[i] = keep != 0 ? x[i] + more : more;
    }
}
