// The sum of eight interpolated values, less what the step before gave. Inputs: old, and value of
// interpolated.vert. Output: next. Source: Fatahalian 2004, slide 20.
uniform sampler2D old;
in vec4 value[8];
out vec4 next;

void main() {
    vec4 sum = value[0] + value[1] + value[2] + value[3] + value[4] + value[5] + value[6] + value[7];
    next = sum - READ(old, TEXEL);
}
