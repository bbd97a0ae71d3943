// Adds the parts of a product that was split along k, in the order of k: a vec4 of C in each invocation.
// Defines: PARTS, their number, at least 2; GROUP, the side of a work group, of which C has whole ones.
// Inputs: the parts, one after the other; `width`, the vec4s in a row. Output: C.
layout(local_size_x = GROUP, local_size_y = GROUP) in;
layout(std430, binding = 0) readonly buffer Parts { vec4 parts[]; };
layout(std430, binding = 1) writeonly buffer C { vec4 c[]; };
uniform int width;

void main() {
    int rows = int(gl_NumWorkGroups.y) * GROUP;
    int at = int(gl_GlobalInvocationID.y) * width + int(gl_GlobalInvocationID.x);
    PRECISE vec4 sum = parts[at];
    for (int part = 1; part < PARTS; ++part) {
        sum += parts[at + part * rows * width];
    }
    c[at] = sum;
}
