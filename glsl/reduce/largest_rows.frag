// The first stage of a search for the largest magnitude of a large texture by a software renderer: 2 rows of 64 adjacent texels
// of `x` into one.
// Defines: those of include/rows.glsl. Input: x. Output: bits and index.
#include "include/largest.glsl"

// The result of no texels is less than every number: it has the last index.
#define RESULT uvec2
#define NONE uvec2(0u, 0xffffffffu)
#define JOIN(a, b) larger(a, b)
#define result_at(centre) part_at(ivec2(centre))
#define SIZE vec2(textureSize(x, 0))
#include "include/rows.glsl"

out uvec4 part;

void main() {
    part = uvec4(of_rows(), 0u, 0u);
}
