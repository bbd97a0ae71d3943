// What a scan makes of the numbers of a texel.
//
// Requires  include/scan_texels.glsl
// Defines   EXCLUSIVE if a number's own value does not count; RESETS if, with EXCLUSIVE, nothing counts where a segment starts
// Inputs    length_of_x, the numbers of the vector
// Provides  prefixes_of(before, items, index)   the results of the texel with this index, of items that stand after `before`, and
//           zeros in the padding
uniform int length_of_x;

#if defined(EXCLUSIVE) && defined(RESETS)
#define RESULT(before, item) (STARTS(item) ? IDENTITY : NUMBER_OF(before))
#elif defined(EXCLUSIVE)
#define RESULT(before, item) NUMBER_OF(before)
#else
#define RESULT(before, item) NUMBER_OF(join(before, item))
#endif

FOUR prefixes_of(Item before, Items items, int index) {
    Item after_a = join(before, items.a);
    Item after_b = join(after_a, items.b);
    Item after_c = join(after_b, items.c);
    FOUR results = FOUR(RESULT(before, items.a), RESULT(after_a, items.b), RESULT(after_b, items.c), RESULT(after_c, items.d));
    int left = length_of_x - 4 * index;
    return FOUR(left > 0 ? results.x : NUMBER(0), left > 1 ? results.y : NUMBER(0), left > 2 ? results.z : NUMBER(0),
        left > 3 ? results.w : NUMBER(0));
}
