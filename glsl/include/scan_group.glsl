// A scan over the invocations of a work group, in their order.
//
// Requires  include/scan.glsl
// Defines   GROUP, the invocations of a group
// Provides  scan_of_group(own)   to be called by every invocation: the items before its own, as one; of_group is all of them
// Source: Hillis and Steele, "Data Parallel Algorithms" (1986).
shared NUMBER parts[GROUP];
#ifdef SEGMENTED
shared uint parts_start[GROUP];
#endif
#define NOTHING ITEM(IDENTITY, false)

Item part(int at) { return ITEM(parts[at], parts_start[at] != 0u); }

void keep(int at, Item item) {
    parts[at] = NUMBER_OF(item);
#ifdef SEGMENTED
    parts_start[at] = uint(STARTS(item));
#endif
}

Item scan_of_group(Item own, out Item of_group) {
    int at = int(gl_LocalInvocationIndex);
    keep(at, own);
    barrier();
    for (int reach = 1; reach < GROUP; reach <<= 1) {
        if (at >= reach) {
            own = join(part(at - reach), own);
        }
        barrier();
        keep(at, own);
        barrier();
    }
    of_group = part(GROUP - 1);
    Item before = NOTHING;
    if (at > 0) {
        before = part(at - 1);
    }
    barrier();
    return before;
}
