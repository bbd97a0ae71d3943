// The same by a compute shader.
// Defines: GROUP_X, GROUP_Y. Inputs: the same, and the extent of the output.
#include "one_sided.frag"

void main() {
    WRITE(one_sided());
}
