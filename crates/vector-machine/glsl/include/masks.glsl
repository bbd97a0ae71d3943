// Where the masks of many candidates lie, and where lists of numbers do.
//
// Defines   LOG_WIDTH     textures are at most 2^LOG_WIDTH texels wide
// Gives     PLACE(i, g, rows)   the texel of thing i (a variable, a clause ...) for group g of 128
//                               candidates, where each group takes that many rows
//           INDEX(rows), GROUP(rows)   the thing and the group of the texel to write
//           LISTED(i)           the texel of list i: three numbers, 0 for none, and the texel that
//                               goes on with it or 0
//           SET(mask, c)        whether candidate c, 0 to 127, is in a mask
//
// A candidate is a bit: x holds candidates 0 to 31 of its group, w 96 to 127.
#define PLACE(i, g, rows) ivec2((i) & ((1 << LOG_WIDTH) - 1), (g) * (rows) + ((i) >> LOG_WIDTH))
#define INDEX(rows) (TEXEL.x + ((TEXEL.y % (rows)) << LOG_WIDTH))
#define GROUP(rows) (TEXEL.y / (rows))
#define LISTED(i) PLACE(i, 0, 0)

bool SET(uvec4 mask, int c) {
    uint word = c < 64 ? (c < 32 ? mask.x : mask.y) : (c < 96 ? mask.z : mask.w);
    return (word >> uint(c & 31) & 1u) != 0u;
}
