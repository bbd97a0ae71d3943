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
    // GLSL leaves the rest of a negative number undefined.
    return place < 0 ? length - 1 - (-1 - place) % length : place % length;
#else
    // d c b a | a b c d | d c b a
    int rest = (place < 0 ? -1 - place : place) % (2 * length);
    return rest < length ? rest : 2 * length - 1 - rest;
#endif
}
