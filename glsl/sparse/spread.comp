// The numbers of a texture in a buffer, from which any of them is read fast.
//
// Defines: GROUP_X, GROUP_Y. Inputs: x; first, the texel of the buffer where they begin. Output: Numbers, four in an element.
layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;
layout(std430, binding = 0) writeonly buffer Numbers { vec4 numbers[]; };
uniform sampler2D x;
uniform int first;

void main() {
    ivec2 place = ivec2(gl_GlobalInvocationID.xy);
    ivec2 size = textureSize(x, 0);
    if (all(lessThan(place, size))) {
        numbers[first + place.y * size.x + place.x] = READ(x, place);
    }
}
