// Writes the right-hand side between the bands of the packed layout: every tenth texel of the target becomes the next
// texel of `rhs`; the bands keep their values.
// Input: rhs, in the layout of x. Target: bands (include/nine_bands.glsl).
uniform sampler2D rhs;
out vec4 value;

void main() {
    if (TEXEL.x % 10 != 9) {
        discard;
    }
    value = READ(rhs, ivec2(TEXEL.x / 10, TEXEL.y));
}
