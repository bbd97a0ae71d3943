// Submatrix packed (SP): a texel holds a square of 2 x 2 numbers,
// row by row. A step multiplies a texel of A with one of B.
uniform sampler2D a;
uniform sampler2D b;
out vec4 square;

void main() {
    square = vec4(0.0);
    for (int k = 0; k < textureSize(b, 0).y; ++k) {
        vec4 p = READ(a, ivec2(k, TEXEL.y));
        vec4 q = READ(b, ivec2(TEXEL.x, k));
        square += p.xxzz * q.xyxy;
        square += p.yyww * q.zwzw;
    }
}
