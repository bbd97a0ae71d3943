// The same by a compute shader.
// Defines: GROUP_X, GROUP_Y. Inputs: the same, and the extent of the output.
#include "line_factors.frag"

void main() {
    WRITE_ALL(before(), after(), before() * shifted(lower, -by), after() * shifted(upper, by));
}
