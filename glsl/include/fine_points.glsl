// Stored numbers of a finer grid around four points of a grid that is coarser along one axis.
//
// Requires  include/grid3.glsl; AXIS, 0, 1 or 2; fine, the shape of the finer grid, and fine_width, the points of a line of it
// Provides  fine_numbers(image, first, place, by)   of the points (2 c along the axis, and c along the others) + by, the numbers in the
//                          columns of the image from `first` on; 0 outside. Along the axis `by` is from -1 to 3, along the others from -1 to 1
float fine_number(sampler2D image, int first, ivec3 point) {
#ifdef WRAPS_X
    point.x = wrapped(point.x, fine_width);
#endif
    return point.x < 0 ? 0.0 : number_at(image, first, fine, ivec3(point.x >> 2, point.yz))[point.x & 3];
}

vec4 fine_numbers(sampler2D image, int first, ivec3 place, ivec3 by) {
#if AXIS == 0
    ivec3 start = ivec3(8 * place.x + by.x, place.yz + by.yz);
    return vec4(fine_number(image, first, start), fine_number(image, first, start + ivec3(2, 0, 0)),
        fine_number(image, first, start + ivec3(4, 0, 0)), fine_number(image, first, start + ivec3(6, 0, 0)));
#else
    ivec3 there = place * (AXIS == 1 ? ivec3(1, 2, 1) : ivec3(1, 1, 2)) + ivec3(0, by.yz);
    return shifted(image, first, fine, fine_width, there, by.x);
#endif
}
