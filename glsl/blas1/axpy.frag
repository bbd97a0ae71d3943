// a x + y, four values in a texel.
// Inputs: a, x, y. Output: the sum.
// Source: Lawson, Hanson, Kincaid and Krogh, "Basic Linear Algebra Subprograms for Fortran Usage" (1979), SAXPY.
uniform float a;
uniform sampler2D x;
uniform sampler2D y;
out vec4 sum;

void main() {
    sum = a * READ(x, TEXEL) + READ(y, TEXEL);
}
