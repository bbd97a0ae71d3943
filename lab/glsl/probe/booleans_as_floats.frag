// The exclusive or of two vectors of Booleans, four in a texel, a float of 0 or 1 each, as on hardware without
// logical operations (Thompson, Hahn and Oskin, 2002, section 6).
// Inputs: a, b. Output: either.
uniform highp sampler2D a;
uniform highp sampler2D b;
out vec4 either;

void main() {
    vec4 x = READ(a, TEXEL);
    vec4 y = READ(b, TEXEL);
    either = x + y - 2.0 * x * y;
}
