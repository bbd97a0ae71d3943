// a x + y, four numbers a texel. Inputs: a, x, y. Source: Lawson, Hanson, Kincaid, Krogh, "Basic
// Linear Algebra Subprograms" (SAXPY).
uniform float a;
uniform sampler2D x;
uniform sampler2D y;
out vec4 sum;

void main() {
    sum = a * READ(x, TEXEL) + READ(y, TEXEL);
}
