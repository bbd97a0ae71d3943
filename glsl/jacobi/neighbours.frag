// One Jacobi step for texels that are in no end of a row, where the vertex shader already said
// where all neighbours are: nothing is left but the arithmetic of the step.
// Inputs: x, the bands, b (include/nine_bands.glsl); what neighbours.vert hands
// over.
// Source: Goeddeke, "Including the vertex shader".
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
