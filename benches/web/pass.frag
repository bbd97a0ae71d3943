// A pass that reads a number and writes one.
uniform sampler2D x;
uniform float k;
out float y;
void main() {
    y = k * READ(x, TEXEL).r + 0.25;
}
