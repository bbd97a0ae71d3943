// A scan over the invocations of a work group, in their order: in rows of SIDE, each of which one invocation goes through, and over the rows.
//
// Requires  include/scan.glsl
// Defines   GROUP, the invocations of a group; SIDE, those of a row, which divides it
// Provides  scan_of_group(own, of_group)   to be called by every invocation: the items before its own, as one; of_group is all of them
//
// Behind each row a place is empty: else the rows would begin in the same bank of shared memory.
shared NUMBER parts[GROUP + GROUP / SIDE];
shared NUMBER rows[GROUP / SIDE];
#ifdef SEGMENTED
shared uint parts_start[GROUP + GROUP / SIDE];
shared uint rows_start[GROUP / SIDE];
#endif
#define NOTHING ITEM(IDENTITY, false)
#define PART(at) ITEM(parts[at], parts_start[at] != 0u)

void put_part(int at, Item item) {
    parts[at] = NUMBER_OF(item);
#ifdef SEGMENTED
    parts_start[at] = uint(STARTS(item));
#endif
}

// Puts what stands before it in a row in the place of each item.
void scan_row(int row) {
    int first = row * (SIDE + 1);
    Item items[SIDE];
    for (int k = 0; k < SIDE; k++) {
        items[k] = PART(first + k);
    }
    Item sum = NOTHING;
    for (int k = 0; k < SIDE; k++) {
        put_part(first + k, sum);
        sum = join(sum, items[k]);
    }
    rows[row] = NUMBER_OF(sum);
#ifdef SEGMENTED
    rows_start[row] = uint(STARTS(sum));
#endif
}

Item scan_of_group(Item own, out Item of_group) {
    int at = int(gl_LocalInvocationIndex);
    int own_row = at / SIDE;
    put_part(at + own_row, own);
    barrier();
    if (at < GROUP / SIDE) {
        scan_row(at);
    }
    barrier();
    Item before_row = NOTHING;
    of_group = NOTHING;
    for (int row = 0; row < GROUP / SIDE; row++) {
        if (row == own_row) {
            before_row = of_group;
        }
        of_group = join(of_group, ITEM(rows[row], rows_start[row] != 0u));
    }
    return join(before_row, PART(at + own_row));
}
