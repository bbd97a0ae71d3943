// The same by a compute shader.
// Defines: GROUP_X, GROUP_Y. Inputs: the same, and the extent of the output.
#include "prolongation.frag"

void main() {
    WRITE(READ(x, TEXEL) + prolonged());
}
