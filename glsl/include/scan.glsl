// The numbers of a scan, four in a texel, and the operation that joins them.
//
// Defines   those of include/number.glsl; one of JOIN_SUM, JOIN_PRODUCT, JOIN_MIN, JOIN_MAX; SEGMENTED if numbers
//           may start segments: what is joined then has a flag, and what stands before a start does not count
// Provides  what include/number.glsl provides
//           IDENTITY                the number that changes none
//           Item, ITEM(number, starts), NUMBER_OF(item), STARTS(item)   a number, and whether a segment starts in what it joins
//           join(a, b)              two items as one, where a stands before b
// Source: Blelloch, "Prefix Sums and Their Applications" (1990); segments: Schwartz, "Ultracomputers" (1980).
#include "include/number.glsl"

#if defined(JOIN_SUM)
#define IDENTITY NUMBER(0)
NUMBER joined(NUMBER a, NUMBER b) { return a + b; }
#elif defined(JOIN_PRODUCT)
#define IDENTITY NUMBER(1)
NUMBER joined(NUMBER a, NUMBER b) { return a * b; }
#elif defined(JOIN_MIN)
#define IDENTITY GREATEST
NUMBER joined(NUMBER a, NUMBER b) { return LESS(a, b) ? a : b; }
#else
#define IDENTITY LEAST
NUMBER joined(NUMBER a, NUMBER b) { return GREATER(a, b) ? a : b; }
#endif

#ifdef SEGMENTED
struct Item { NUMBER number; bool starts; };
#define ITEM(number, starts) Item(number, starts)
#define NUMBER_OF(item) (item).number
#define STARTS(item) (item).starts
Item join(Item a, Item b) {
    if (b.starts) {
        return b;
    }
    return Item(joined(a.number, b.number), a.starts);
}
#else
#define Item NUMBER
#define ITEM(number, starts) (number)
#define NUMBER_OF(item) (item)
#define STARTS(item) false
#define join joined
#endif
