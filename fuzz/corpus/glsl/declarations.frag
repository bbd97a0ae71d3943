uniform sampler2D a, b[2];
layout(location = 0) out vec4 c;
layout(location = 0x1) out float d;
in vec2 e;
layout(std430, binding = 2) buffer F { float g[]; };
void main() {}
