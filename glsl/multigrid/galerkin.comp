// The same by a compute shader.
// Defines: GROUP_X, GROUP_Y. Inputs: the same, and the extent of the output.
#include "galerkin.frag"

void main() {
    four_bands();
    WRITE_ALL(beside, across, above, diagonally);
}
