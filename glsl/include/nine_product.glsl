// A x of a nine-banded matrix, or b - A x, of four consecutive unknowns of a row of the grid, in differences from the middle: the
// fifth band has the sums of rows instead of the diagonal. Where x is smooth, as the errors are that an iteration is slow to reduce,
// differences are small and exact, where the usual form loses digits.
//
// Inputs    x; those of include/coefficients.glsl; b, in the layout of x (RESIDUAL)
// Requires  TEXEL          the texel that is computed, from 0 within those that the panel owns
//           part           where these begin in x and b
//           extent         how many there are along x and along y
// Defines   those of include/coefficients.glsl
//           WRAPS          there are couplings across the ends of rows, which x then has whole; the uniform `last`
//           RESIDUAL       the result is b - A x
//           DIRECTION      x is replaced by d r + x above / below, the next direction of conjugate gradients with a diagonal
//                          preconditioner d, where above and below are scalars on the device; call read_beta() first
// Provides  product()      the result
#define LAYOUT_PACKED
#define PRODUCT
#include "include/band_place.glsl"
#include "include/coefficients.glsl"
#define BAND_OF(k) coefficient(k, TEXEL, extent)
#include "include/nine_bands.glsl"
#ifdef WRAPS
uniform int last;
#include "include/lanes.glsl"
#endif
#define CORNER part
#ifdef DIRECTION
#include "include/scalar.glsl"
uniform sampler2D d, r, above, below;
float beta;
void read_beta() {
    vec4 a = READ(above, ivec2(0));
    vec4 b = READ(below, ivec2(0));
    beta = quotient(SUM(a), SUM(b));
}
vec4 direction_at(ivec2 place) { return READ(d, place) * READ(r, place) + beta * READ(x, place); }
#endif
#include "include/nine_neighbours.glsl"
#ifdef RESIDUAL
uniform sampler2D b;
#endif

Row minus(Row row, vec4 here) { return Row(row.left - here, row.here - here, row.right - here); }

// The row's product with x without the diagonal, by a coefficient for each k. Opposite neighbours are added first, whose differences nearly
// cancel. The couplings across corners are last, so that a star has the bits of nine points of which four couplings are zero, also where a
// multiplication and an addition are one operation.
#define ACROSS_SIDES(C) (C(1) * down.here + C(7) * up.here) + (C(3) * middle.left + C(5) * middle.right)
#define ACROSS_CORNERS(C) ((C(0) * down.left + C(8) * up.right) + (C(2) * down.right + C(6) * up.left))
#ifdef STAR
#define OTHERS_OF(C) (ACROSS_SIDES(C))
#else
#define OTHERS_OF(C) (ACROSS_SIDES(C) + ACROSS_CORNERS(C))
#endif

#if defined(INNER) || (defined(CONSTANT) && defined(GROUP_X))
#define COUPLING(k) couplings[k / 3][k % 3]
// The same where every point of the texel has all its neighbours: most of a grid, and few instructions.
vec4 inner_product(Row down, Row middle, Row up, vec4 here) {
    return row_sums[1].y * here + OTHERS_OF(COUPLING);
}
#endif

vec4 all_of(Row down, Row middle, Row up, vec4 here) {
#ifdef INNER
    return inner_product(down, middle, up, here);
#else
#if defined(CONSTANT) && defined(GROUP_X)
    // By fragments the inner texels are drawn by themselves: a software renderer computes both sides of a branch.
    if (is_inner(TEXEL)) {
        return inner_product(down, middle, up, here);
    }
#endif
    return BAND_OF(4) * here + OTHERS_OF(BAND_OF);
#endif
}

vec4 product() {
    Row middle = row_at(0);
    vec4 here = middle.here;
    vec4 all = all_of(minus(row_at(-1), here), minus(middle, here), minus(row_at(1), here), here);
#ifdef RESIDUAL
    return READ(b, part + TEXEL) - all;
#else
    return all;
#endif
}
