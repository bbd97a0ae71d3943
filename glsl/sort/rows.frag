// The row of each place in a matrix, or with COLUMN its column.
// Defines: COLUMN. Inputs: places; columns, those of the matrix; length_of_panel; shift, the exponent of a row's length. Output: result, with zeros
// in the padding.
uniform usampler2D places;
uniform uint columns;
uniform int length_of_panel, shift;
out uvec4 result;

void main() {
    int left = length_of_panel - 4 * ((TEXEL.y << shift) + TEXEL.x);
    uvec4 four = READ(places, TEXEL);
#ifdef COLUMN
    uvec4 wanted = four % columns;
#else
    uvec4 wanted = four / columns;
#endif
    result = uvec4(left > 0 ? wanted.x : 0u, left > 1 ? wanted.y : 0u, left > 2 ? wanted.z : 0u, left > 3 ? wanted.w : 0u);
}
