// A point for each partial result, all in the only texel of the target, where blending adds them.
//
// Input: partials: one partial result per texel, row by row; rows are a power of two long.
// Output: vector_result.
uniform sampler2D partials;
flat out float vector_result;

void main() {
    int width = textureSize(partials, 0).x;
    ivec2 place = ivec2(gl_VertexID & (width - 1), gl_VertexID / width);
    vector_result = READ(partials, place).r;
    gl_PointSize = 1.0;
    gl_Position = vec4(0.0, 0.0, 0.0, 1.0);
}
