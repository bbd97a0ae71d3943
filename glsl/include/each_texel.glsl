// A kernel that computes each texel of its target, or of its targets, by itself, as a fragment shader and as a compute shader.
//
// Defines   GROUP_X, GROUP_Y   the invocations of a group along x and y: the kernel is dispatched, and `extent` is that of the targets
//           PART               it is dispatched for a part of its targets alone: `part` is where that begins, and `extent` is its own
//           TARGETS            the number of targets, 2, 3 or 4: value_0 and so on
// Provides  WRITE(result)      to be called once, by every invocation, with the texel at TEXEL
//           INSIDE             whether there is such a texel: a group may reach beyond its targets
//           WRITE_ALL(a, b, c, d)   the same for all targets; those that there are not are left out
#ifdef GROUP_X
#include "include/each_invocation.glsl"
#else
#define INSIDE true
#ifdef TARGETS
#include "include/each_targets.glsl"
#else
out vec4 value;
#define WRITE(result) value = result
#endif
#endif
