// Numbers that depend on the kind of a point alone: how far it is from both ends of each axis, if that is nearer than a border.
//
// Requires  include/grid3.glsl
// Defines   INNER    all lines of the target are inside: their numbers are uniforms, for the first point of a line, those inside and the
//                    last. Where the border is wider than one, so are all points
//           WIDE     the border may be wider than one
// Provides  of_ends(numbers, place, width)   three such numbers as one for each of the four points
//           of_kinds(image, number, place, shape, width, border)   (not INNER) number k of several, for each of the four points. The image
//                    has a row for each kind of lines, first those of the first line along y; and for each number a texel of three
//                    numbers as above, or (WIDE) a texel for each kind along x
vec4 of_ends(vec3 numbers, ivec3 place, int width) {
#ifdef WRAPS_X
    return vec4(numbers.y);
#else
    ivec4 columns = columns_of(place);
    vec4 last = mix(vec4(numbers.y), vec4(numbers.z), equal(columns, ivec4(width - 1)));
    return mix(last, vec4(numbers.x), equal(columns, ivec4(0)));
#endif
}

#ifndef INNER
int kind_along(int place, int of, int border) {
    return place < border ? place : place >= of - border ? place + 2 * border + 1 - of : border;
}

vec4 of_kinds(sampler2D image, int number, ivec3 place, ivec4 shape, int width, int border) {
    int across = 2 * border + 1;
    int y = border;
    int z = border;
#ifndef WRAPS_Y
    y = kind_along(place.y, shape.y, border);
#endif
#ifndef WRAPS_Z
    z = kind_along(min(place.z, shape.z - 1), shape.z, border);
#endif
    int line = across * z + y;
#ifdef WIDE
    ivec4 columns = columns_of(place);
    vec4 numbers = vec4(0.0);
    for (int i = 0; i < 4; ++i) {
        int x = border;
#ifndef WRAPS_X
        x = kind_along(min(columns[i], width - 1), width, border);
#endif
        numbers[i] = READ(image, ivec2(number * across + x, line)).r;
    }
    return numbers;
#else
    return of_ends(READ(image, ivec2(number, line)).rgb, place, width);
#endif
}
#endif
