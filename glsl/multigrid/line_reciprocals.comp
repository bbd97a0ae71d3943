// The same by a compute shader.
// Defines: GROUP_X, GROUP_Y. Inputs: the same, and the extent of the output.
#include "line_reciprocals.frag"

void main() {
#ifdef REMAINING
    WRITE(remaining());
#else
    WRITE(reciprocals());
#endif
}
