// No fragments: stands in programs whose vertex stage gives its results to a buffer, since OpenGL ES
// links none without a fragment shader.
void main() {}
