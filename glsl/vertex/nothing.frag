// An empty fragment shader for programs whose vertex shader writes to a buffer: OpenGL ES links no program without one.
void main() {}
