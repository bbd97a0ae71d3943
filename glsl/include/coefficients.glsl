// The coefficients of a nine-banded operator on a grid, in the form that it has. Every kernel asks here for them, and so is written once.
//
// Defines   CONSTANT       the couplings are the same at all points of a rectangle, and nothing is stored; else nine numbers of each
//                          point are, where include/band_place.glsl says, with its defines
//           INNER          (CONSTANT) every point that is asked for has all its neighbours
//           STAR           points are coupled along x and along y alone: the couplings across corners are 0, and are not read
// Inputs    bands; or (CONSTANT) couplings, of the bands LL LD LU, DL DD DU, UL UD UU; row_sums, of the rows of the matrix, in the first row of
//           points, the inner ones and the last, and of each in the first, the inner and the last column; rectangle: the column and the row
//           of the first texel's first point, and how many points there are along x and y
// Provides  coefficient(k, place, size)   of the four points of the texel at a place of a panel of this size, number k of nine: that of
//                                         a neighbour, 0 where there is none, or for k = 4 the sum of the row. In the padding 0
//           coefficients_at(k, columns, row)   (CONSTANT) the same of four points, anywhere
//           is_inner(place)                 (CONSTANT) whether the four points have all their neighbours
#ifdef STAR
#define IS_CORNER(k) ((k) % 2 == 0 && (k) != 4)
#else
#define IS_CORNER(k) false
#endif

#ifdef CONSTANT
uniform mat3 couplings;
uniform mat3 row_sums;
uniform ivec4 rectangle;

// 1 where a place is in the grid, else 0. A negative place is a large unsigned one.
vec4 in_columns(ivec4 columns) { return vec4(lessThan(uvec4(columns), uvec4(rectangle.z))); }

float in_rows(int row) { return uint(row) < uint(rectangle.w) ? 1.0 : 0.0; }

#ifdef INNER
vec4 coefficients_at(int k, ivec4 columns, int row) { return vec4(k == 4 ? row_sums[1].y : couplings[k / 3][k % 3]); }
#else
vec4 coefficients_at(int k, ivec4 columns, int row) {
    if (IS_CORNER(k)) {
        return vec4(0.0);
    }
    vec4 here = in_columns(columns) * in_rows(row);
    if (k == 4) {
        vec3 of_row = row == 0 ? row_sums[0] : row == rectangle.w - 1 ? row_sums[2] : row_sums[1];
        vec4 sum = mix(vec4(of_row.y), vec4(of_row.z), equal(columns, ivec4(rectangle.z - 1)));
        return here * mix(sum, vec4(of_row.x), equal(columns, ivec4(0)));
    }
    vec4 beside = in_columns(columns + (k % 3 - 1)) * in_rows(row + (k / 3 - 1));
    return here * beside * couplings[k / 3][k % 3];
}
#endif

// Whether each of the four points of a texel has all its neighbours.
bool is_inner(ivec2 place) {
    ivec2 first = rectangle.xy + ivec2(4 * place.x, place.y);
    return all(greaterThan(first, ivec2(0))) && first.x + 4 < rectangle.z && first.y + 1 < rectangle.w;
}

vec4 coefficient(int k, ivec2 place, ivec2 size) {
    return coefficients_at(k, rectangle.x + 4 * place.x + ivec4(0, 1, 2, 3), rectangle.y + place.y);
}
#else
uniform sampler2D bands;
vec4 coefficient(int k, ivec2 place, ivec2 size) {
    return IS_CORNER(k) ? vec4(0.0) : READ(bands, band_place(k, place, size));
}
#endif
