// The part of a panel that a work group has: GROUP_Y rows, and of each a strip of `tiles` tiles from left to right. Each invocation has PER
// texels of a tile, GROUP_X apart. Every row of a strip has a total; these are in the order of the vector.
//
// Requires  shift, the exponent of a row's length
// Defines   GROUP_X, GROUP_Y, PER
// Inputs    strips, of a row; tiles
// Provides  place_of(tile, k), the texel k of this invocation in a tile; is_beyond(place), right of the panel's rows; index_of(place), the
//           texel's place in the vector; total_place(), that of the row's total; LANE, the place of this invocation's texels in the tile's row;
//           ROW, its row
uniform int strips, tiles;
#define LANE int(gl_LocalInvocationID.x)
#define ROW int(gl_LocalInvocationID.y)

ivec2 place_of(int tile, int k) {
    ivec2 group = ivec2(gl_WorkGroupID.xy);
    return ivec2(((group.x * tiles + tile) * PER + k) * GROUP_X + LANE, group.y * GROUP_Y + ROW);
}

bool is_beyond(ivec2 place) { return place.x >> shift != 0; }

int index_of(ivec2 place) { return (place.y << shift) + place.x; }

int total_place() { return (int(gl_WorkGroupID.y) * GROUP_Y + ROW) * strips + int(gl_WorkGroupID.x); }
