// Wrapping a step along a row onto the rows before and after, for vectors laid row by row in a
// texture.
//
// wrap_by_floor(place, step, width)   the texel `step` unknowns from `place`, by the floor algebra
//                                     of the jacobi document (Goeddeke, "GPGPU Performance Tuning",
//                                     "Mapping the CPU implementation to the GPU"). Inexact where
//                                     the index passes 2^24 or a driver divides by a reciprocal:
//                                     probe/floor.frag finds out.

ivec2 wrap_by_floor(ivec2 place, int step, float width) {
    float z = float(place.y) * width + float(place.x + step);
    float row = floor(z / width);
    return ivec2(int(z - width * row), int(row));
}
