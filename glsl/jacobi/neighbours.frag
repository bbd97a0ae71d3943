// One Jacobi step for texels away from the ends of rows, with the neighbours' coordinates interpolated from the vertex
// shader, so that only the arithmetic of the step is left.
// Inputs: x, the bands, b (include/nine_bands.glsl); the outputs of neighbours.vert.
// Source: Goeddeke 2005, "Including the vertex shader".
in vec3 column;
in vec3 line;
#define BAND(image) READ_AT(image, vec2(column.y, line.y))
#ifdef LAYOUT_PACKED
in float first_band;
flat in float band_step;
#define BAND_OF(k) READ_AT(bands, vec2(first_band + float(k) * band_step, line.y))
#endif
#include "include/nine_bands.glsl"

out NUMBER next;

NUMBER at(vec2 place) { return READ_AT_CLAMPED(x, place).PART; }

Row row_at(float y) {
    return row(at(vec2(column.x, y)), at(vec2(column.y, y)), at(vec2(column.z, y)));
}

void main() {
    next = relax(row_at(line.x), row_at(line.y), row_at(line.z));
}
