// As spread.vert, by a compute shader, from a buffer in the host's memory.
// Inputs: Strip; places, row by row; count, how many there are. Output: the image `target`.
// Defines: NUMBER, the type of a texel's numbers; FORMAT, of the image; GROUP.
layout(local_size_x = GROUP) in;
layout(std430, binding = 0) readonly buffer Strip { NUMBER strip[]; };
layout(binding = 0, FORMAT) uniform writeonly highp image2D target;
uniform sampler2D places;
uniform int count;

vec4 four(float number) { return vec4(number, 0.0, 0.0, 1.0); }
vec4 four(vec4 number) { return number; }

void main() {
    int at = int(gl_GlobalInvocationID.x);
    if (at < count) {
        int width = textureSize(places, 0).x;
        ivec2 place = ivec2(READ(places, ivec2(at % width, at / width)).rg);
        imageStore(target, place, four(strip[at]));
    }
}
