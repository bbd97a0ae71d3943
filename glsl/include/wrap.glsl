// Steps along a row that continue in the row before or after, for vectors in textures row by row.
//
// wrap_by_floor(place, step, width)   the texel `step` unknowns from `place`, by the floor formula of Goeddeke,
//                                     "GPGPU Performance Tuning" (2005), "Mapping the CPU implementation to the
//                                     GPU". It is inexact for indices from 2^24, and where a driver divides by a
//                                     reciprocal: probe/floor.frag tests it.

ivec2 wrap_by_floor(ivec2 place, int step, float width) {
    float z = float(place.y) * width + float(place.x + step);
    float row = floor(z / width);
    return ivec2(int(z - width * row), int(row));
}
