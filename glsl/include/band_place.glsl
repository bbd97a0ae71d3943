// Where the nine numbers of each point of a grid are: in a texture of nine texels for each texel of the grid.
//
// Defines   ACROSS         9, 3 or 1: ACROSS numbers along x by 9 / ACROSS along y
//           PANELS         each of the nine is a panel as large as the grid, else the nine of a texel are adjacent
// Provides  band_place(k, place, size)   where number k of the texel at a place is, in a grid of this size
//           band_at(texel, size, place)    the reverse: which number a texel of the texture is, and of which place
//           place_of(i, j)               the number for the neighbour i to the right and j above
ivec2 band_place(int k, ivec2 place, ivec2 size) {
#if ACROSS == 9 && defined(PANELS)
    return ivec2(k * size.x + place.x, place.y);
#elif ACROSS == 9
    return ivec2(9 * place.x + k, place.y);
#elif defined(PANELS)
    return ivec2(k % ACROSS, k / ACROSS) * size + place;
#else
    return ivec2(ACROSS, 9 / ACROSS) * place + ivec2(k % ACROSS, k / ACROSS);
#endif
}

// The number that the texel at a place of the texture has, and of which texel of the grid.
int band_at(ivec2 texel, ivec2 size, out ivec2 place) {
#ifdef PANELS
    ivec2 which = texel / size;
    place = texel - which * size;
#else
    place = texel / ivec2(ACROSS, 9 / ACROSS);
    ivec2 which = texel - place * ivec2(ACROSS, 9 / ACROSS);
#endif
    return which.y * ACROSS + which.x;
}

int place_of(int i, int j) { return 3 * (j + 1) + i + 1; }
