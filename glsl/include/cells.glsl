// Texels that hold cells of a matrix, from a texture that holds one element a texel, row by row.
//
// Defines   NUMBER, SAMPLER  float and sampler2D, or int and isampler2D
//           DOWN, ACROSS     rows and columns of a cell, whose elements lie row by row
//           TRANSPOSED       x runs along the rows' index; else along the columns'
// Takes     matrix           the matrix
// Gives     LANES            elements in a cell
//           element_at(texel, lane)   the element that this lane of a texel of cells holds: zero
//                            where the cells reach over the matrix

#define LANES (DOWN * ACROSS)

uniform SAMPLER matrix;

NUMBER element_at(ivec2 texel, int lane) {
#ifdef TRANSPOSED
    ivec2 cell = texel.yx;
#else
    ivec2 cell = texel;
#endif
    ivec2 place = cell * ivec2(ACROSS, DOWN) + ivec2(lane % ACROSS, lane / ACROSS);
    if (any(greaterThanEqual(place, textureSize(matrix, 0)))) {
        return NUMBER(0);
    }
    return READ(matrix, place).r;
}
