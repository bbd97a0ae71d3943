// The same by a compute shader.
// Defines: GROUP_X, GROUP_Y. Inputs: the same, and the extent of the output.
#include "direct.frag"

void main() {
    WRITE(texel_of_result());
}
