// An amount added to every texel: a pass that does next to nothing.
// Inputs: x, amount. Output: the sum.
uniform sampler2D x;
uniform float amount;
out vec4 sum;

void main() {
    sum = READ(x, TEXEL) + amount;
}
