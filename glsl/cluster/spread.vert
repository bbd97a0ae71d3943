// A point for each texel of a strip, at its place in the target: the reverse of gather.frag.
// Inputs: strip; places, the column and the row in the target of each of its texels; the size of the target.
uniform sampler2D strip;
uniform sampler2D places;
uniform vec2 size;
flat out NUMBER number;

void main() {
    int width = textureSize(places, 0).x;
    ivec2 at = ivec2(gl_VertexID % width, gl_VertexID / width);
    number = READ(strip, at).PART;
    gl_PointSize = 1.0;
    gl_Position = vec4((2.0 * READ(places, at).rg + 1.0) / size - 1.0, 0.0, 1.0);
}
