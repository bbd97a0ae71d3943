// A pass of a Fourier transform of radix 2, in Stockham's order, along rows.
uniform sampler2D x;      // complex numbers, of the pass before
uniform sampler2D roots;  // exp(-2 pi i k / n) for k from 0 to n - 1
uniform int iteration;    // the number of passes that are done
uniform ivec2 size;
out vec2 next;

vec2 times(vec2 a, vec2 b) {
    return vec2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

void main() {
    int n = size.x;
    int done = 1 << iteration;         // the length of the transforms that are done
    int place = TEXEL.x % (2 * done);  // in a transform that this pass makes
    int first = TEXEL.x / (2 * done) * done + place % done;
    vec2 a = READ(x, ivec2(first, TEXEL.y)).xy;
    vec2 b = READ(x, ivec2(first + n / 2, TEXEL.y)).xy;
    vec2 root = READ(roots, ivec2(place * (n / (2 * done)), 0)).xy;
    next = a + times(root, b);
}
