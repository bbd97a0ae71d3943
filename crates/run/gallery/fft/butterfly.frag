// A repetition of the fast Fourier transform along an axis (../fft.run.toml): transforms of `span` numbers from pairs of half
// as many. After the last one they are one transform, in order.

uniform sampler2D x;
uniform ivec2 along;
uniform int repetition;
out vec2 y;

void main() {
    ivec2 size = textureSize(x, 0);
    int count = along.x * size.x + along.y * size.y;
    int at = along.x * TEXEL.x + along.y * TEXEL.y;
    int span = 2 << repetition;
    int even = at / span * (span / 2) + at % (span / 2);
    ivec2 start = TEXEL - at * along;
    vec2 a = READ(x, start + even * along).rg;
    vec2 b = READ(x, start + (even + count / 2) * along).rg;
    float angle = -6.28318531 * float(at % span) / float(span);
    vec2 turn = vec2(cos(angle), sin(angle));
    y = a + vec2(turn.x * b.x - turn.y * b.y, turn.x * b.y + turn.y * b.x);
}
