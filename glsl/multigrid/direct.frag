// The inverse of the coarsest grid's matrix times a vector.
//
// Inputs    b; inverted, a row for each texel of the grid, in which each texel of b has four texels: the columns of its lanes
// Defines   those of include/each_texel.glsl
// Output    the solution
// Loops: a texel of b each, at most 256.
uniform sampler2D b;
uniform sampler2D inverted;
uniform ivec2 size;
#include "include/each_texel.glsl"

vec4 solved() {
    int row = TEXEL.y * size.x + TEXEL.x;
    vec4 sum = vec4(0.0);
    for (int y = 0; y < size.y; ++y) {
        for (int x = 0; x < size.x; ++x) {
            vec4 right = READ(b, ivec2(x, y));
            int column = 4 * (y * size.x + x);
            sum += READ(inverted, ivec2(column, row)) * right.x;
            sum += READ(inverted, ivec2(column + 1, row)) * right.y;
            sum += READ(inverted, ivec2(column + 2, row)) * right.z;
            sum += READ(inverted, ivec2(column + 3, row)) * right.w;
        }
    }
    return sum;
}

void main() {
    WRITE(solved());
}
