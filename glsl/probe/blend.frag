// The value 1.5 everywhere: drawn twice with additive blending it must give 3, which no clamped
// format can hold. The prelude is not put before this file.
precision highp float;
out vec4 value;

void main() {
    value = vec4(1.5);
}
