// One step of a probe, drawn: what it makes of the texel that the step before wrote, so that no
// step can be left out. Inputs: old, trips, those of the work. Output: next.
// Defines: one of WORK_MAD, WORK_OPCODE, WORK_FETCH, WORK_CHASE, WORK_BRANCH.
#include "include/work.glsl"
out vec4 next;

void main() {
    next = work(READ(old, TEXEL));
}
