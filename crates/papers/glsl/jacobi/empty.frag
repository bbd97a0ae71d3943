// A fragment shader that only writes: a pass of it is what a step takes beside the work of its fragments.
//
// Output: next.
// Source: Göddeke, GPGPU Performance Tuning: "The pipeline is still dominated by the workload of the fragment shader".
out float next;

void main() {
    next = 0.0;
}
