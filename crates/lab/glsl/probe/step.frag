// One step of a probe, drawn: what it makes of the texel that the step before wrote, so that no
// step can be left out. Inputs: old, trips, those of the work. Output: next.
// Define one of those of include/work.glsl.
#include "include/work.glsl"
out vec4 next;

void main() {
    next = work(READ(old, TEXEL));
}
