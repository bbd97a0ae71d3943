// Scalars on the device: texels of which the channels are added.
//
// Provides  SUM(texel)        the value
//           quotient(a, b)    a / b, and 0 where b is 0
#define SUM(texel) ((texel.x + texel.y) + (texel.z + texel.w))

float quotient(float a, float b) { return b != 0.0 ? a / b : 0.0; }
