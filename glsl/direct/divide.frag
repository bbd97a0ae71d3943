// The coefficients of modes over their eigenvalues, column by column of the grid of modes.
//
// Inputs: numbers, a vector; squares_x and squares_y, the squared sines of half the angle of each mode along x and along y, vectors; modes, how many
// there are along x and along y; terms of the eigenvalues: their constant, and the factors of both squares and of their product;
// is_singular: the first mode has the eigenvalue zero, and no part in the result; the exponents of the lengths of rows of texels of the
// three. Output: the texels.
uniform sampler2D numbers, squares_x, squares_y;
uniform ivec2 modes;
uniform vec4 terms;
uniform int is_singular, shift, shift_x, shift_y;
out vec4 value;

float lane_of(vec4 four, int lane) { return lane < 2 ? (lane == 0 ? four.x : four.y) : (lane == 2 ? four.z : four.w); }

#define SQUARE(image, at, exponent) lane_of(READ(image, ivec2((at >> 2) & ((1 << exponent) - 1), at >> (2 + exponent))), at & 3)

float over_eigenvalue(float number, int at) {
    if (at >= modes.x * modes.y || (is_singular != 0 && at == 0)) {
        return 0.0;
    }
    int k = at / modes.y;
    int l = at - k * modes.y;
    float p = SQUARE(squares_x, k, shift_x);
    float q = SQUARE(squares_y, l, shift_y);
    return number / (terms.x + terms.y * p + terms.z * q + terms.w * p * q);
}

void main() {
    int at = 4 * ((TEXEL.y << shift) + TEXEL.x);
    vec4 four = READ(numbers, TEXEL);
    value = vec4(over_eigenvalue(four.x, at), over_eigenvalue(four.y, at + 1), over_eigenvalue(four.z, at + 2),
        over_eigenvalue(four.w, at + 3));
}
