// The coefficients of the fine grid's operator around four points of a coarse one.
//
// Requires  include/coefficients.glsl, include/fine_numbers.glsl
// Provides  coefficients_around(k, i, j)   number k of nine, as coefficient() has it, of the points that are i to the right and j above
//                                          the four on the fine grid; 0 outside
vec4 coefficients_around(int k, int i, int j) {
#ifdef CONSTANT
    ivec4 columns = STEP_X * (4 * TEXEL.x + ivec4(0, 1, 2, 3)) + (STEP_X - 1 + i);
    return coefficients_at(k, columns, STEP_Y * TEXEL.y + STEP_Y - 1 + j);
#else
    return around(bands, k, i, j);
#endif
}
