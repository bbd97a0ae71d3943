// The numbers that 8-bit pixels stand for: multiples of 1/255.
//
// Input: pixels. Define: RESULT, the type of the numbers: vec4, or float for the first channel alone.
// Output: number.
// Source: Thompson, Hahn, Oskin, Using Modern Graphics Architectures for General-Purpose Computing, section 4.3: "the results
// are only as accurate as the underlying 8-bit pixel representation".
uniform sampler2D pixels;
out RESULT number;

void main() {
    number = RESULT(floor(READ(pixels, TEXEL) * 255.0 + 0.5) / 255.0);
}
