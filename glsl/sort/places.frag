// The place of each number in its vector.
// Inputs: first, the place of the panel's first number; length_of_panel; shift, the exponent of a row's length. Output: places.
uniform uint first;
uniform int length_of_panel, shift;
out uvec4 places;

void main() {
    int at = 4 * ((TEXEL.y << shift) + TEXEL.x);
    uvec4 own = uvec4(first + uint(at)) + uvec4(0u, 1u, 2u, 3u);
    int left = length_of_panel - at;
    places = uvec4(left > 0 ? own.x : 0u, left > 1 ? own.y : 0u, left > 2 ? own.z : 0u, left > 3 ? own.w : 0u);
}
