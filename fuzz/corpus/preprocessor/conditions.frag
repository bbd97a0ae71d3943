#define M0 2
#if M0 > 1 && defined(M0)
float s1;
#elif M0 == 1
float s2;
#else
float s3;
#endif
