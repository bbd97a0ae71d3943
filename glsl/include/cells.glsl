// The cells of a matrix, several elements in a texel, from a texture of one element in a texel, row by row.
//
// Defines   NUMBER, SAMPLER  float and sampler2D, or int and isampler2D
//           DOWN, ACROSS     rows and columns of a cell, whose elements are in row order
//           TRANSPOSED       the cells are transposed
//           STRIPS, HEIGHT   the texture is cut into strips of STRIPS x HEIGHT texels, one below the other
// Inputs    matrix           the matrix
// Provides  LANES            elements in a cell
//           element_at(texel, lane)   the element of a lane of a cell: zero beyond the matrix

#define LANES (DOWN * ACROSS)

uniform SAMPLER matrix;

NUMBER element_at(ivec2 texel, int lane) {
#ifdef STRIPS
    if (texel.x >= STRIPS) {
        return NUMBER(0);
    }
    texel = ivec2(texel.y / HEIGHT * STRIPS + texel.x, texel.y % HEIGHT);
#endif
#ifdef TRANSPOSED
    ivec2 cell = texel.yx;
#else
    ivec2 cell = texel;
#endif
    ivec2 position = cell * ivec2(ACROSS, DOWN) + ivec2(lane % ACROSS, lane / ACROSS);
    if (any(greaterThanEqual(position, textureSize(matrix, 0)))) {
        return NUMBER(0);
    }
    return READ(matrix, position).r;
}
