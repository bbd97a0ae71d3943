// Numbers that depend on the kind of a point alone: how far it is from both ends of each axis, if that is nearer than a border.
//
// Requires  include/grid3.glsl; (INNER) inner, whose length must be a number in the text
// Defines   NUMBERS   how many numbers each kind has
//           INNER     all lines of the target are inside: their numbers are uniforms, for the first point of a line, those inside and the
//                     last. Where the border is wider than one, so are all points
//           WIDE      the border may be wider than one
//           GROUP_X   it is a compute shader: INNER and WIDE are not needed
// Inputs    border, and kinds: a row for each kind of lines, first those of the first line along y, and for each number
//           a texel of three as in `inner`, or (WIDE) a texel for each kind along x; a compute shader has the numbers in a buffer, those
//           of the kinds along x beside each other
// Provides  of_kind(k, place, shape, width)   number k, for each of the four points

#ifndef INNER
uniform int border;

int kind_along(int place, int of) {
    return place < border ? place : place >= of - border ? place + 2 * border + 1 - of : border;
}

int kind_of_line(ivec3 place, ivec4 shape) {
    int y = border;
    int z = border;
#ifndef WRAPS_Y
    y = kind_along(place.y, shape.y);
#endif
#ifndef WRAPS_Z
    z = kind_along(min(place.z, shape.z - 1), shape.z);
#endif
    return (2 * border + 1) * z + y;
}

int kind_of_column(int column, int width) {
#ifdef WRAPS_X
    return border;
#else
    return kind_along(min(column, width - 1), width);
#endif
}
#endif

#ifdef GROUP_X
layout(std430, binding = 0) readonly buffer Kinds { float kinds[]; };

vec4 of_kind(int k, ivec3 place, ivec4 shape, int width) {
    int first = (kind_of_line(place, shape) * NUMBERS + k) * (2 * border + 1);
    int x = 4 * place.x;
    if (x >= border && x + 3 < width - border) {
        return vec4(kinds[first + border]);
    }
    return vec4(kinds[first + kind_of_column(x, width)], kinds[first + kind_of_column(x + 1, width)],
        kinds[first + kind_of_column(x + 2, width)], kinds[first + kind_of_column(x + 3, width)]);
}
#else
// Three numbers as one for each of the four points.
vec4 of_ends(vec3 numbers, ivec3 place, int width) {
#ifdef WRAPS_X
    return vec4(numbers.y);
#else
    ivec4 columns = columns_of(place);
    vec4 last = mix(vec4(numbers.y), vec4(numbers.z), equal(columns, ivec4(width - 1)));
    return mix(last, vec4(numbers.x), equal(columns, ivec4(0)));
#endif
}

#ifdef INNER
vec4 of_kind(int k, ivec3 place, ivec4 shape, int width) { return of_ends(inner[k], place, width); }
#else
uniform sampler2D kinds;

vec4 of_kind(int k, ivec3 place, ivec4 shape, int width) {
    int line = kind_of_line(place, shape);
#ifdef WIDE
    ivec4 columns = columns_of(place);
    vec4 numbers = vec4(0.0);
    for (int i = 0; i < 4; ++i) {
        int x = k * (2 * border + 1) + kind_of_column(columns[i], width);
        numbers[i] = READ(kinds, ivec2(x, line)).r;
    }
    return numbers;
#else
    return of_ends(READ(kinds, ivec2(k, line)).rgb, place, width);
#endif
}
#endif
#endif
