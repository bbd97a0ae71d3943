// Stored numbers of a finer grid around four points of a grid that is coarser along one axis.
//
// Requires  include/grid3.glsl; fine, the shape of the finer grid, and fine_width, the points of a line of it
// Defines   ALONG_X      the axis is x
// Inputs    along        the step to the next point along the axis
// Provides  fine_numbers(image, first, place, by)   of the points (2 c along the axis, and c along the others) + by, the numbers in the
//                          columns of the image from `first` on; 0 outside. Along the axis `by` is from -1 to 3, along the others from -1 to
//                          1
uniform ivec3 along;

vec4 fine_numbers(sampler2D image, int first, ivec3 place, ivec3 by) {
#ifndef ALONG_X
    ivec3 there = place * (1 + along) + ivec3(0, by.yz);
    return shifted(image, first, fine, fine_width, there, by.x);
#elif defined(WRAPS_X)
    vec4 numbers = vec4(0.0);
    for (int i = 0; i < 4; ++i) {
        int x = wrapped(8 * place.x + 2 * i + by.x, fine_width);
        numbers[i] = number_at(image, first, fine, ivec3(x >> 2, place.yz + by.yz))[x & 3];
    }
    return numbers;
#else
    // The first of the four points, as a texel and a lane of it; the others are two points apart.
    ivec3 there = ivec3(2 * place.x + (by.x >> 2), place.yz + by.yz);
    int lane = by.x & 3;
    vec4 a = number_at(image, first, fine, there);
    vec4 b = number_at(image, first, fine, there + ivec3(1, 0, 0));
    if (lane < 2) {
        return lane == 0 ? vec4(a.xz, b.xz) : vec4(a.yw, b.yw);
    }
    vec4 c = number_at(image, first, fine, there + ivec3(2, 0, 0));
    return lane == 2 ? vec4(a.z, b.xz, c.x) : vec4(a.w, b.yw, c.y);
#endif
}
