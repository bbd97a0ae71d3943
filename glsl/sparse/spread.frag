// x, or the sums of pieces from a row on, in the texture of all that addresses mean.
//
// Inputs: x; row, where it begins. Output: numbers.
uniform sampler2D x;
uniform int row;
out vec4 numbers;

void main() {
    numbers = READ(x, TEXEL - ivec2(0, row));
}
