// The exclusive or of two vectors of Booleans, 128 in a texel, a bit each.
// Inputs: a, b. Output: either.
uniform highp usampler2D a;
uniform highp usampler2D b;
out uvec4 either;

void main() {
    either = READ(a, TEXEL) ^ READ(b, TEXEL);
}
