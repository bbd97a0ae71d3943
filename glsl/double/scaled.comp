// factor (r - shift) of numbers in double precision, as a panel of a grid of 32-bit floats.
// Defines: GROUP_X, GROUP_Y. Inputs: r; the place of the panel (include/double_rows.glsl); the bits of the factor and of the shift.
// Output: the image `value`.
#extension GL_ARB_gpu_shader_fp64 : require
layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;
layout(std430, binding = 0) readonly buffer R { double r[]; };
layout(binding = 0, rgba32f) uniform writeonly highp image2D value;
uniform uvec2 factor;
uniform uvec2 shift;
#include "include/double_rows.glsl"

float scaled(int lane) {
    if (lane >= lanes()) {
        return 0.0;
    }
    return float(packDouble2x32(factor) * (r[first() + lane] - packDouble2x32(shift)));
}

void main() {
    // NVIDIA's compiler links no assignment to an element of a dvec4 by a variable index.
    if (is_owned()) {
        imageStore(value, PLACE, vec4(scaled(0), scaled(1), scaled(2), scaled(3)));
    }
}
