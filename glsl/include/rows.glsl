// A reduction of 2 rows of 64 adjacent texels to one result: for stages that a software renderer draws.
//
// It then reads memory in a few long streams; texels that are far apart, as in reduce/fold.frag, halve its rate
// (docs/measured.md). A row is joined by pairs, so the longest chain is 7.
//
// Requires  result_at(centre)       the result of the texel with this centre
//           RESULT, NONE, JOIN(a, b)   the type of a result, that of no texels, and two results as one
// Defines   RAGGED                  the edge may cut the rows; SIZE is then the extent that is reduced
// Provides  of_rows()               the result of a fragment
// Source: Horn, "Stream Reduction Operations for GPGPU Applications" (GPU Gems 2, 2005).

RESULT row_1(vec2 centre) {
#ifdef RAGGED
    if (any(greaterThan(centre, SIZE))) {
        return NONE;
    }
#endif
    return result_at(centre);
}

#define TWICE(row, half_row, reach) RESULT row(vec2 c) { return JOIN(half_row(c), half_row(c + vec2(reach, 0.0))); }
TWICE(row_2, row_1, 1.0)
TWICE(row_4, row_2, 2.0)
TWICE(row_8, row_4, 4.0)
TWICE(row_16, row_8, 8.0)
TWICE(row_32, row_16, 16.0)
TWICE(row_64, row_32, 32.0)

RESULT of_rows() {
    vec2 first = (gl_FragCoord.xy - 0.5) * vec2(64.0, 2.0) + 0.5;
    return JOIN(row_64(first), row_64(first + vec2(0.0, 1.0)));
}
