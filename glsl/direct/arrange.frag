// Numbers of a grid or of a vector in another order.
//
// Defines: one of
//   FROM_GRID   a vector of the rows of a grid, one after the other
//   TRANSPOSE   a vector of the columns, from one of the rows
//   TO_GRID     a grid, with zeros in its padding, from a vector of its rows
// Inputs: numbers; points, in a row and in a column of the grid; the exponents of the lengths of rows of texels, of a vector that is read
// (shift) and of the result (shift_of_result). Output: the texels.
uniform sampler2D numbers;
uniform ivec2 points;
uniform int shift, shift_of_result;
out vec4 value;

float lane_of(vec4 four, int lane) { return lane < 2 ? (lane == 0 ? four.x : four.y) : (lane == 2 ? four.z : four.w); }

#ifdef FROM_GRID
float number_at(int x, int y) { return lane_of(READ(numbers, ivec2(x >> 2, y)), x & 3); }
#else
float number_at(int x, int y) {
    int at = y * points.x + x;
    int texel = at >> 2;
    return lane_of(READ(numbers, ivec2(texel & ((1 << shift) - 1), texel >> shift)), at & 3);
}
#endif

#ifdef TO_GRID
float result_at(int lane) {
    int x = 4 * TEXEL.x + lane;
    return x < points.x ? number_at(x, TEXEL.y) : 0.0;
}
#else
float result_at(int lane) {
    int at = 4 * ((TEXEL.y << shift_of_result) + TEXEL.x) + lane;
    if (at >= points.x * points.y) {
        return 0.0;
    }
#ifdef TRANSPOSE
    int x = at / points.y;
    return number_at(x, at - x * points.y);
#else
    int y = at / points.x;
    return number_at(at - y * points.x, y);
#endif
}
#endif

void main() {
    value = vec4(result_at(0), result_at(1), result_at(2), result_at(3));
}
