// Where the points of a three-dimensional grid are: four along x in a texel, the lines of a slice above each other, slice upon
// slice in a stack, and the stacks side by side.
//
// A grid's shape has four numbers: the texels of a line, the lines of a slice, the slices, and the slices of a stack.
//
// Defines   STACKS                      there may be several stacks
//           WRAPS_X, WRAPS_Y, WRAPS_Z   the ends of the axis are neighbours
//           INNER                       no place that is asked for is outside the grid along y or z
// Provides  place_of(texel, shape)      the place of a texel: along x in texels, along y, along z; along z it may be beyond the grid
//           texel_of(place, shape)      the reverse
//           number_at(image, first, shape, place)   a texel of numbers, from the column `first` of the image on; 0 outside the grid,
//                                       unless along y or z the ends are neighbours
//           shifted(image, first, shape, width, place, by)   the same of the points that are -1, 0 or 1 to the right; width: the points
//                                       of a line
//           columns_of(place)           the places along x of the four points
//           masked(numbers, place, shape, width)   four numbers, 0 for points that are not in the grid

// a / b, rounded down, of numbers below 65536 that are not negative: processors without such an instruction take long for it.
int whole(int a, int b) { return int((float(a) + 0.5) / float(b)); }

ivec3 place_of(ivec2 texel, ivec4 shape) {
    int slice = whole(texel.y, shape.y);
    ivec3 place = ivec3(texel.x, texel.y - slice * shape.y, slice);
#ifdef STACKS
    int stack = whole(texel.x, shape.x);
    place += ivec3(-stack * shape.x, 0, stack * shape.w);
#endif
    return place;
}

ivec2 texel_of(ivec3 place, ivec4 shape) {
    ivec2 texel = ivec2(place.x, place.z * shape.y + place.y);
#ifdef STACKS
    int stack = whole(place.z, shape.w);
    texel += stack * ivec2(shape.x, -shape.w * shape.y);
#endif
    return texel;
}

ivec4 columns_of(ivec3 place) { return 4 * place.x + ivec4(0, 1, 2, 3); }

int wrapped(int place, int of) { return place < 0 ? place + of : place >= of ? place - of : place; }

vec4 number_at(sampler2D image, int first, ivec4 shape, ivec3 place) {
#ifdef WRAPS_Y
    place.y = wrapped(place.y, shape.y);
#endif
#ifdef WRAPS_Z
    place.z = wrapped(place.z, shape.z);
#endif
    ivec3 inside = clamp(place, ivec3(0), shape.xyz - 1);
#ifdef INNER
    inside.yz = place.yz;
#endif
    vec4 number = READ(image, texel_of(inside, shape) + ivec2(first, 0));
    return inside == place ? number : vec4(0.0);
}

vec4 shifted(sampler2D image, int first, ivec4 shape, int width, ivec3 place, int by) {
    vec4 here = number_at(image, first, shape, place);
    if (by == 0) {
        return here;
    }
    vec4 beside = number_at(image, first, shape, place + ivec3(by, 0, 0));
    vec4 result = by < 0 ? vec4(beside.w, here.xyz) : vec4(here.yzw, beside.x);
#ifdef WRAPS_X
    int end = by < 0 ? 0 : width - 1;
    int other = width - 1 - end;
    vec4 there = number_at(image, first, shape, ivec3(other >> 2, place.yz));
    result = mix(result, vec4(there[other & 3]), equal(columns_of(place), ivec4(end)));
#endif
    return result;
}

vec4 masked(vec4 numbers, ivec3 place, ivec4 shape, int width) {
    vec4 inside = mix(vec4(0.0), numbers, lessThan(columns_of(place), ivec4(width)));
#ifdef INNER
    return inside;
#else
    return place.z < shape.z ? inside : vec4(0.0);
#endif
}
