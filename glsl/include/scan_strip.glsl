// The scan of a strip: each row by itself, tile after tile.
//
// Requires  include/scan_texels.glsl, include/strip.glsl
// Provides  load(tile)          reads this invocation's texels of a tile, and shares their totals
//           here[PER]           what they are
//           before_of(tile, k, running)   what stands before the texel k, where `running` stands before the row of texels k, and then behind it; to
//                               be called for each k in its order
#define NOTHING ITEM(IDENTITY, false)
Items here[PER];
// Those of one tile are read while those of the next are written.
shared NUMBER parts[2][PER][GROUP_Y][GROUP_X];
#ifdef SEGMENTED
shared uint parts_start[2][PER][GROUP_Y][GROUP_X];
#endif

void load(int tile) {
    for (int k = 0; k < PER; k++) {
        ivec2 place = place_of(tile, k);
        here[k] = Items(NOTHING, NOTHING, NOTHING, NOTHING);
        if (!is_beyond(place)) {
            here[k] = items_of(index_of(place));
        }
    }
    for (int k = 0; k < PER; k++) {
        Item total = total_of(here[k]);
        parts[tile & 1][k][ROW][LANE] = NUMBER_OF(total);
#ifdef SEGMENTED
        parts_start[tile & 1][k][ROW][LANE] = uint(STARTS(total));
#endif
    }
    barrier();
}

Item before_of(int tile, int k, inout Item running) {
    Item row = NOTHING;
    Item before = NOTHING;
    for (int lane = 0; lane < GROUP_X; lane++) {
        row = join(row, ITEM(parts[tile & 1][k][ROW][lane], parts_start[tile & 1][k][ROW][lane] != 0u));
        if (lane + 1 == LANE) {
            before = row;
        }
    }
    before = join(running, before);
    running = join(running, row);
    return before;
}
