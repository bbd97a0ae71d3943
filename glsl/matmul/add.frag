// Adds a partial product to the sum of those before it: matrices of one element in a texel.
// Defines: those of include/product.glsl; SAMPLER.
// Inputs: sum, part. Output: their sum.
#include "include/product.glsl"

uniform SAMPLER sum;
uniform SAMPLER part;

#ifdef INTEGER
layout(location = 0) out int whole;
#else
layout(location = 0) out float element;
#endif

void main() {
    NUMBER total = NARROW(READ(sum, TEXEL).r + READ(part, TEXEL).r);
#ifdef INTEGER
    whole = total;
#else
    element = total;
#endif
}
