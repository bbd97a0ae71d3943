// Where numbers beyond the border of an array are taken from.
//
// Defines   one of BORDER_ZERO, BORDER_CLAMP, BORDER_WRAP, BORDER_REFLECT
// Provides  inside(place, length)   the place in the array for one up to `length` beyond it; -1 for a zero
int inside(int place, int length) {
#if defined(BORDER_ZERO)
    return place >= 0 && place < length ? place : -1;
#elif defined(BORDER_CLAMP)
    return clamp(place, 0, length - 1);
#elif defined(BORDER_WRAP)
    int rest = place % length;
    return rest < 0 ? rest + length : rest;
#else
    // d c b a | a b c d | d c b a
    int rest = place % (2 * length);
    rest = rest < 0 ? rest + 2 * length : rest;
    return rest < length ? rest : 2 * length - 1 - rest;
#endif
}
