// The number of iterations that a loop of `iterations` makes: software renderers may end all loops of an invocation
// after some total number of iterations, without an error.
// Input: iterations. Output: the iterations that were made.
uniform int iterations;
out uint made;

void main() {
    made = 0u;
    for (int i = 0; i < iterations; i++) {
        made++;
    }
}
