// A scan over the invocations of a work group, in their order: in rows of SIDE, and over the rows.
//
// Requires  include/scan.glsl
// Defines   GROUP, the invocations of a group; SIDE, those of a row, which divides it
// Provides  scan_of_group(own, of_group)   to be called by every invocation: the items before its own, as one; of_group is all of them
shared NUMBER parts[GROUP];
shared NUMBER rows[GROUP / SIDE];
#ifdef SEGMENTED
shared uint parts_start[GROUP];
shared uint rows_start[GROUP / SIDE];
#endif
#define NOTHING ITEM(IDENTITY, false)

Item scan_of_group(Item own, out Item of_group) {
    int at = int(gl_LocalInvocationIndex);
    int row = at / SIDE;
    int lane = at - row * SIDE;
    parts[at] = NUMBER_OF(own);
#ifdef SEGMENTED
    parts_start[at] = uint(STARTS(own));
#endif
    barrier();
    Item before = NOTHING;
    Item sum = NOTHING;
    for (int other = row * SIDE; other < row * SIDE + SIDE; other++) {
        if (other == at) {
            before = sum;
        }
        sum = join(sum, ITEM(parts[other], parts_start[other] != 0u));
    }
    if (lane == 0) {
        rows[row] = NUMBER_OF(sum);
#ifdef SEGMENTED
        rows_start[row] = uint(STARTS(sum));
#endif
    }
    barrier();
    Item before_row = NOTHING;
    of_group = NOTHING;
    for (int other = 0; other < GROUP / SIDE; other++) {
        if (other == row) {
            before_row = of_group;
        }
        of_group = join(of_group, ITEM(rows[other], rows_start[other] != 0u));
    }
    return join(before_row, before);
}
