// How many iterations a loop really makes when it is asked for `iterations`: software renderers may stop
// all loops of an invocation after some number of iterations in all, without an error.
// Input: iterations. Output: the iterations that were made.
uniform int iterations;
out uint made;

void main() {
    made = 0u;
    for (int i = 0; i < iterations; i++) {
        made++;
    }
}
