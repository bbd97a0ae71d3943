// One triangle that covers the target. Input: none. The prelude is not put before this file: it
// runs before anything is known of the context.
void main() {
    gl_Position = vec4(float(gl_VertexID & 1) * 4.0 - 1.0, float(gl_VertexID >> 1) * 4.0 - 1.0, 0.0, 1.0);
}
