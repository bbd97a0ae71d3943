// A x of a nine-banded matrix, or b - A x.
// Defines and inputs: those of include/nine_product.glsl. Output: the result, where the panel owns texels.
// Bands are interleaved: no PANELS.
uniform ivec2 part;
const ivec2 extent = ivec2(0); // places do not depend on it
out vec4 value;
#undef TEXEL
#define TEXEL (ivec2(gl_FragCoord.xy) - part)
#include "include/nine_product.glsl"

void main() {
    value = product();
}
