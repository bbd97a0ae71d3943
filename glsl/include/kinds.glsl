// Numbers that depend on the kind of a point alone: how far it is from both ends of each axis, if that is nearer than a border.
//
// Requires  include/grid3.glsl
// Provides  of_kinds(image, column, lane, place, shape, width, border)   one number for each of the four points; 0 for those outside of
//                        the grid. The image has a row of texels for each kind, of which a lane of a column has the number; first are the
//                        kinds of the first point along x, those near it, those inside, and those near the last
int kind_along(int place, int of, int border) {
    return place < border ? place : place >= of - border ? place + 2 * border + 1 - of : border;
}

vec4 of_kinds(sampler2D image, int column, int lane, ivec3 place, ivec4 shape, int width, int border) {
    int across = 2 * border + 1;
    int y = border;
    int z = border;
#ifndef WRAPS_Y
    y = kind_along(place.y, shape.y, border);
#endif
#ifndef WRAPS_Z
    z = kind_along(min(place.z, shape.z - 1), shape.z, border);
#endif
    int line = across * (across * z + y);
    ivec4 columns = columns_of(place);
    vec4 numbers = vec4(0.0);
    for (int i = 0; i < 4; ++i) {
        int x = border;
#ifndef WRAPS_X
        x = kind_along(min(columns[i], width - 1), width, border);
#endif
        numbers[i] = READ(image, ivec2(column, line + x))[lane];
    }
    numbers = mix(vec4(0.0), numbers, lessThan(columns, ivec4(width)));
    return place.z < shape.z ? numbers : vec4(0.0);
}
