// The same by a compute shader.
// Defines: GROUP_X, GROUP_Y. Inputs: the same, and the extent of the output.
#include "rows.frag"

void main() {
    vec4 scaling, diagonal, along_x, along_y;
    all_numbers(scaling, diagonal, along_x, along_y);
    WRITE_FOUR(scaling, diagonal, along_x, along_y);
}
