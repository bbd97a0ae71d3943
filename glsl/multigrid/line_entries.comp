// The same by a compute shader.
// Defines: GROUP_X, GROUP_Y. Inputs: the same, and the extent of the output.
#include "line_entries.frag"

void main() {
    WRITE_ALL(number(-along.x, -along.y), number(along.x, along.y), sums(), reciprocals());
}
