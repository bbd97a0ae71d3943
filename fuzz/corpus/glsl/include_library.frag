#include "include/rectangle.glsl"
#include "include/prelude.glsl"
out float y;
void main() { y = 1.0; }
