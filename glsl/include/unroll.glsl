// Unrolls a step by macros: GLSL 330 has no pragma that every compiler obeys.
//
// Defines   UNROLL        the number of steps, 1 to 1023
// Provides  UNROLLED(f)   f(0) f(1) ... f(UNROLL - 1), from the bits of UNROLL

#define TIMES_1(f, u) f(u)
#define TIMES_2(f, u) TIMES_1(f, u) TIMES_1(f, (u) + 1)
#define TIMES_4(f, u) TIMES_2(f, u) TIMES_2(f, (u) + 2)
#define TIMES_8(f, u) TIMES_4(f, u) TIMES_4(f, (u) + 4)
#define TIMES_16(f, u) TIMES_8(f, u) TIMES_8(f, (u) + 8)
#define TIMES_32(f, u) TIMES_16(f, u) TIMES_16(f, (u) + 16)
#define TIMES_64(f, u) TIMES_32(f, u) TIMES_32(f, (u) + 32)
#define TIMES_128(f, u) TIMES_64(f, u) TIMES_64(f, (u) + 64)
#define TIMES_256(f, u) TIMES_128(f, u) TIMES_128(f, (u) + 128)
#define TIMES_512(f, u) TIMES_256(f, u) TIMES_256(f, (u) + 256)

#if (UNROLL & 1) != 0
#define BIT_1(f) TIMES_1(f, 0)
#else
#define BIT_1(f)
#endif
#if (UNROLL & 2) != 0
#define BIT_2(f) TIMES_2(f, UNROLL & 1)
#else
#define BIT_2(f)
#endif
#if (UNROLL & 4) != 0
#define BIT_4(f) TIMES_4(f, UNROLL & 3)
#else
#define BIT_4(f)
#endif
#if (UNROLL & 8) != 0
#define BIT_8(f) TIMES_8(f, UNROLL & 7)
#else
#define BIT_8(f)
#endif
#if (UNROLL & 16) != 0
#define BIT_16(f) TIMES_16(f, UNROLL & 15)
#else
#define BIT_16(f)
#endif
#if (UNROLL & 32) != 0
#define BIT_32(f) TIMES_32(f, UNROLL & 31)
#else
#define BIT_32(f)
#endif
#if (UNROLL & 64) != 0
#define BIT_64(f) TIMES_64(f, UNROLL & 63)
#else
#define BIT_64(f)
#endif
#if (UNROLL & 128) != 0
#define BIT_128(f) TIMES_128(f, UNROLL & 127)
#else
#define BIT_128(f)
#endif
#if (UNROLL & 256) != 0
#define BIT_256(f) TIMES_256(f, UNROLL & 255)
#else
#define BIT_256(f)
#endif
#if (UNROLL & 512) != 0
#define BIT_512(f) TIMES_512(f, UNROLL & 511)
#else
#define BIT_512(f)
#endif

#define UNROLLED(f) BIT_1(f) BIT_2(f) BIT_4(f) BIT_8(f) BIT_16(f) BIT_32(f) BIT_64(f) BIT_128(f) BIT_256(f) BIT_512(f)
