// The same by a compute shader.
// Defines: GROUP_X, GROUP_Y. Inputs: the same, and the extent of the output.
#include "weights.frag"

void main() {
    vec4 a, b, c, d;
    four_weights(a, b, c, d);
    WRITE_ALL(a, b, c, d);
}
