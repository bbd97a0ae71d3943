// Unpacks a matrix of one element in a texel from a buffer of rows that are `stride` elements apart.
// Defines: NUMBER, float or int; INTEGER for int.
// Inputs: the buffer; stride. Output: the elements.
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
