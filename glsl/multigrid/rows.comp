// The same by a compute shader.
// Defines: GROUP_X, GROUP_Y. Inputs: the same, and the extent of the output.
#include "rows.frag"

void main() {
    vec4 scaling, diagonal, measures;
    all_numbers(scaling, diagonal, measures);
    WRITE_ALL(scaling, diagonal, measures);
}
