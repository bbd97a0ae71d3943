// What becomes of products of rows of a sparse matrix with x.
//
// Defines   KEEPS              the old result counts too: the uniform beta
// Provides  result_of(sums, old)   alpha times the sums, and beta times the old result
uniform float alpha;
#ifdef KEEPS
uniform float beta;
#define result_of(sums, old) (alpha * (sums) + beta * (old))
#else
#define result_of(sums, old) (alpha * (sums))
#endif
