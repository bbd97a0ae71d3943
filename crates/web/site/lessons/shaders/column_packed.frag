// Column packed (CP): a texel holds four numbers of a column.
// A step multiplies four texels of A with one of B.
uniform sampler2D a;
uniform sampler2D b;
out vec4 rows;

void main() {
    rows = vec4(0.0);
    for (int k = 0; k < textureSize(b, 0).y; ++k) {
        vec4 q = READ(b, ivec2(TEXEL.x, k));
        rows += READ(a, ivec2(4 * k, TEXEL.y)) * q.x;
        rows += READ(a, ivec2(4 * k + 1, TEXEL.y)) * q.y;
        rows += READ(a, ivec2(4 * k + 2, TEXEL.y)) * q.z;
        rows += READ(a, ivec2(4 * k + 3, TEXEL.y)) * q.w;
    }
}
