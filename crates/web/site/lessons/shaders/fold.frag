// A pass of a sum: a fragment adds r x r texels, and fewer at the edges.
uniform sampler2D x;
uniform int r;
out vec4 sum;

void main() {
    ivec2 first = r * TEXEL;
    ivec2 end = min(first + r, textureSize(x, 0));
    sum = vec4(0.0);
    for (int row = first.y; row < end.y; ++row) {
        for (int column = first.x; column < end.x; ++column) {
            sum += READ(x, ivec2(column, row));
        }
    }
}
