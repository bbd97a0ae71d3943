// A multiply-add with the same rounding everywhere in a program, so that methods that add the same products in the
// same order agree bit for bit.
//
// Provides  MAD(a, b, c)   a * b + c of floats or vectors of floats: `fma` where the context has `precise`, else fused
//                          or not as the driver chooses

#ifdef QUADRILLE_PRECISE
#define MAD(a, b, c) fma(a, b, c)
#else
#define MAD(a, b, c) ((a) * (b) + (c))
#endif
