// Reading texels in steps along an image, in either way of reading.
//
// Provides  PLACE, PLACE_OF(image, p)   the type of a position, and the position of the texel at the ivec2 p
//           STEP_OF(image, d)           a step by the ivec2 d, as a difference of positions
//           STEPS(n)                    a number of steps, as a factor of one
//           READ_FROM(image, place)     the texel at a position, also after steps were added to it

#ifdef QUADRILLE_SAMPLE
#define PLACE vec2
#define PLACE_OF(image, p) ((vec2(p) + 0.5) / vec2(textureSize(image, 0)))
#define STEP_OF(image, d) (vec2(d) / vec2(textureSize(image, 0)))
#define STEPS(n) float(n)
#define READ_FROM(image, place) textureLod(image, place, 0.0)
#else
#define PLACE ivec2
#define PLACE_OF(image, p) (p)
#define STEP_OF(image, d) (d)
#define STEPS(n) (n)
#define READ_FROM(image, place) texelFetch(image, place, 0)
#endif
