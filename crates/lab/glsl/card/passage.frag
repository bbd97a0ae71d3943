// A number on its way, untouched: does it arrive with the bits it had?
// Inputs: image, or the uniform `given` with FROM_UNIFORM; FROM_BITS where the image holds bits.
// Output: number, or `bits` with TO_BITS.
#if defined(FROM_UNIFORM)
uniform float given;
#define NUMBER given
#elif defined(FROM_BITS)
uniform isampler2D image;
#define NUMBER intBitsToFloat(READ(image, TEXEL).r)
#else
uniform sampler2D image;
#define NUMBER READ(image, TEXEL).r
#endif

#ifdef TO_BITS
out int bits;
void main() { bits = floatBitsToInt(NUMBER); }
#else
out float number;
void main() { number = NUMBER; }
#endif
