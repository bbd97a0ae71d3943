// The roots of unity, by the device's cos and sin.
uniform ivec2 size;
out vec2 root;
void main() {
    float angle = -6.28318530718 * float(TEXEL.x) / float(size.x);
    root = vec2(cos(angle), sin(angle));
}
