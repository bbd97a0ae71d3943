// What came of interpolated coordinates: their bits, or, with TEXELS, the numbers of image that are
// read by them (each texel of a strip holds its own place).
// Inputs: image, what neighbours.vert hands over; DOWN for y instead of x. Output: three.
uniform isampler2D image;
in vec3 column;
in vec3 line;
out ivec4 three;

#ifdef DOWN
#define AT(n) vec2(column.y, line[n])
#define THREE line
#else
#define AT(n) vec2(column[n], line.y)
#define THREE column
#endif

void main() {
#ifdef TEXELS
    three = ivec4(READ_AT_CLAMPED(image, AT(0)).r, READ_AT_CLAMPED(image, AT(1)).r, READ_AT_CLAMPED(image, AT(2)).r, 0);
#else
    three = ivec4(floatBitsToInt(THREE), 0);
#endif
}
