// As gather.frag, by a compute shader, into a buffer in the host's memory: no copy of it is made on the way.
// Inputs: image; places, row by row; count, how many there are. Output: Strip.
// Defines: NUMBER and PART, the type of a texel's numbers and their channels; GROUP.
layout(local_size_x = GROUP) in;
layout(std430, binding = 0) writeonly buffer Strip { NUMBER strip[]; };
uniform sampler2D image;
uniform sampler2D places;
uniform int count;

void main() {
    int at = int(gl_GlobalInvocationID.x);
    if (at < count) {
        int width = textureSize(places, 0).x;
        ivec2 place = ivec2(READ(places, ivec2(at % width, at / width)).rg);
        strip[at] = READ(image, place).PART;
    }
}
