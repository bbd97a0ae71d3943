// The works that probes measure. Each gives work(), the texel after one step, and goes round
// `trips` times, which the compiler cannot know.
// Define one of WORK_MAD, WORK_OPCODE, WORK_FETCH, WORK_CHASE, WORK_BRANCH.
uniform sampler2D old;
uniform int trips;

#if defined(WORK_MAD)
#include "include/mad.glsl"
#elif defined(WORK_FETCH)
#include "include/fetch.glsl"
#endif
