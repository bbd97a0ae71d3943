// A matrix of one element a texel, row by row, from a buffer where its rows lie `stride` numbers apart.
// Defines: NUMBER, float or int; INTEGER, where int.
// Inputs: the buffer; stride. Output: the elements.
// Source: the obvious one.
layout(std430, binding = 0) readonly buffer Rows { NUMBER rows[]; };
uniform int stride;

#ifdef INTEGER
layout(location = 0) out int whole;
#else
layout(location = 0) out float element;
#endif

void main() {
    NUMBER number = rows[TEXEL.y * stride + TEXEL.x];
#ifdef INTEGER
    whole = number;
#else
    element = number;
#endif
}
