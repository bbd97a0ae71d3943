// Numbers of a texture, one in a texel, as a panel of a grid: four consecutive numbers of a row in a texel, and zeros beyond the grid.
//
// Inputs: numbers; the texel of the whole grid that is the panel's first one; the numbers in a row, and in the grid.

uniform sampler2D numbers;
uniform ivec2 first;
uniform int width;
uniform int count;
out vec4 four;

float number(int x, int y)
{
    return x < width && y * width + x < count ? READ_CLAMPED(numbers, ivec2(x, y)).r : 0.0;
}

void main()
{
    ivec2 at = TEXEL + first;
    int x = 4 * at.x;
    four = vec4(number(x, at.y), number(x + 1, at.y), number(x + 2, at.y), number(x + 3, at.y));
}
