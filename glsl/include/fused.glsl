// A multiply-add that is rounded in one way everywhere in a program, so that methods which add the
// same products in the same order agree to the last bit.
//
// Gives   MAD(a, b, c)   a * b + c of floats or vectors of floats: `fma` where PRECISE is the keyword,
//                        else as the device likes

#ifdef QUADRILLE_PRECISE
#define MAD(a, b, c) fma(a, b, c)
#else
#define MAD(a, b, c) ((a) * (b) + (c))
#endif
