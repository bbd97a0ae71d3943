// The stored couplings of points of a finer grid to their neighbours, seen from a coarser one.
//
// Requires  include/grid3.glsl, include/fine_points.glsl; bands, the images of all numbers, side by side; fine_across, the texels of one
//           of them along x
// Inputs    numbers, 27; or 7 where points are coupled along the axes alone: those of the neighbours (i, j, l) by 9 l + 3 j + i, with the
//           sum of the row in the middle
// Provides  number_in(slot, place, at)    what stands at a place among these, of the points `at` from (2 c, c, c)
//           neighbour(slot)               the neighbour whose coupling that is
//           stored(by, place, at)         that of the neighbour that is `by` away; 0 where none is stored
uniform int numbers;

vec4 number_in(int slot, ivec3 place, ivec3 at) { return fine_numbers(bands, slot * fine_across, place, at); }

ivec3 neighbour(int slot) {
    if (numbers == 7) {
        int axis = slot < 3 ? 2 - slot : slot - 4;
        return (slot < 3 ? -1 : 1) * ivec3(equal(ivec3(axis), ivec3(0, 1, 2)));
    }
    return ivec3(slot % 3, slot / 3 % 3, slot / 9) - 1;
}

vec4 stored(ivec3 by, ivec3 place, ivec3 at) {
    int slot = 9 * by.z + 3 * by.y + by.x + 13;
    if (numbers == 7) {
        if (abs(by.x) + abs(by.y) + abs(by.z) > 1) {
            return vec4(0.0);
        }
        slot = 3 + by.x + 2 * by.y + 3 * by.z;
    }
    return number_in(slot, place, at);
}
