// A x of a constant operator on a grid, with any sides.
//
// Inputs: x; points of the grid, along x and along y; sides along both: 0 zeros, 1 no flux over the edge, 2 periodic; couplings of a point with
// itself, its neighbours along x, along y, and at the corners. Output: the result, with zeros in the padding.
uniform sampler2D x;
uniform ivec2 points, sides;
uniform vec4 couplings;
out vec4 value;

// The place that stands for one at most one beyond a side, or -1 for a zero.
int place_at(int place, int count, int side) {
    if (place >= 0 && place < count) {
        return place;
    }
    if (side == 0) {
        return -1;
    }
    return (place < 0) == (side == 1) ? 0 : count - 1;
}

float number_at(int column, int row) {
    int i = place_at(column, points.x, sides.x);
    int j = place_at(row, points.y, sides.y);
    if (i < 0 || j < 0) {
        return 0.0;
    }
    vec4 four = READ(x, ivec2(i >> 2, j));
    int lane = i & 3;
    return lane < 2 ? (lane == 0 ? four.x : four.y) : (lane == 2 ? four.z : four.w);
}

float product_at(int column, int row) {
    if (column >= points.x) {
        return 0.0;
    }
    float beside = number_at(column - 1, row) + number_at(column + 1, row);
    float above = number_at(column, row - 1) + number_at(column, row + 1);
    float corners = number_at(column - 1, row - 1) + number_at(column + 1, row - 1) + number_at(column - 1, row + 1)
        + number_at(column + 1, row + 1);
    return couplings.x * number_at(column, row) + couplings.y * beside + couplings.z * above + couplings.w * corners;
}

void main() {
    ivec2 first = ivec2(4 * TEXEL.x, TEXEL.y);
    value = vec4(product_at(first.x, first.y), product_at(first.x + 1, first.y), product_at(first.x + 2, first.y),
        product_at(first.x + 3, first.y));
}
