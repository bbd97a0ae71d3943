// The values of x around a texel, as rows of the grid. The ends of rows are found by comparing integers.
//
// Requires  x, Row, row() (include/nine_bands.glsl); row_of_lanes() and `last` (include/lanes.glsl) for WRAPS with LAYOUT_PACKED
// Defines   CORNER          where the texels that are computed begin in x: TEXEL counts from there
//           SIZE            the extent of x, where the including file has it in a uniform
//           WRAPS           beyond an end of a row is the row before or after; else couplings across it are 0
//           DIRECTION       x is not read but computed: direction_at(place), which the including file has
//           INNER           no place is outside x
//           STAR            what is to the left and to the right is not asked for in the rows below and above
//           TILE            a work group of GROUP_X x GROUP_Y first reads its part of x and the border of it into shared memory
// Provides  fill_tile()     to be called first (TILE)
//           row_at(j)       left, here and right in the row that is j away

#ifndef SIZE
#define SIZE textureSize(x, 0)
#define SIZE_IS_ASKED
#endif

#ifdef DIRECTION
NUMBER at(ivec2 place) { return direction_at(clamp(place, ivec2(0), SIZE - 1)); }
#elif defined(INNER)
NUMBER at(ivec2 place) { return READ(x, place).PART; }
#elif !defined(SIZE_IS_ASKED)
NUMBER at(ivec2 place) { return READ(x, clamp(place, ivec2(0), SIZE - 1)).PART; }
#else
NUMBER at(ivec2 place) { return READ_CLAMPED(x, place).PART; }
#endif

// The texel at a place; beyond an end of a row it is in the row before or after.
#ifdef WRAPS
NUMBER at_wrapped(ivec2 place) {
    if (place.x < 0) {
        place = ivec2(SIZE.x - 1, place.y - 1);
    } else if (place.x >= SIZE.x) {
        place = ivec2(0, place.y + 1);
    }
    return at(place);
}
#else
NUMBER at_wrapped(ivec2 place) { return at(place); }
#endif

#ifdef TILE
const ivec2 TILE_GROUP = ivec2(GROUP_X, GROUP_Y);
const int TILE_WIDTH = GROUP_X + 2;
const int TILE_ROOM = TILE_WIDTH * (GROUP_Y + 2);
shared NUMBER tile[TILE_ROOM];

void fill_tile() {
    ivec2 corner = CORNER + ivec2(gl_WorkGroupID.xy) * TILE_GROUP - 1;
    for (int i = int(gl_LocalInvocationIndex); i < TILE_ROOM; i += GROUP_X * GROUP_Y) {
        tile[i] = at_wrapped(corner + ivec2(i % TILE_WIDTH, i / TILE_WIDTH));
    }
    barrier();
}

NUMBER beside(int i, int j) {
    ivec2 place = ivec2(gl_LocalInvocationID.xy) + ivec2(i + 1, j + 1);
    return tile[place.y * TILE_WIDTH + place.x];
}
#else
NUMBER beside(int i, int j) {
    ivec2 place = CORNER + TEXEL + ivec2(i, j);
    return i == 0 ? at(place) : at_wrapped(place);
}
#endif

Row row_at(int j) {
#ifdef STAR
    if (j != 0) {
        return Row(NUMBER(0.0), beside(0, j), NUMBER(0.0));
    }
#endif
#if defined(LAYOUT_PACKED) && defined(WRAPS)
    int column = CORNER.x + TEXEL.x;
    bool wraps_left = column == 0;
    bool wraps_right = column == SIZE.x - 1;
    return row_of_lanes(beside(-1, j), beside(0, j), beside(1, j), wraps_left, wraps_right);
#else
    return row(beside(-1, j), beside(0, j), beside(1, j));
#endif
}
