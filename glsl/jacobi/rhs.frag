// Puts the right-hand side among the bands of the packed layout: every tenth texel of the target
// gets the next texel of `rhs`, and the bands between keep what they hold.
// Input: rhs, as x lies. Target: bands (include/nine_bands.glsl).
uniform sampler2D rhs;
out vec4 value;

void main() {
    if (TEXEL.x % 10 != 9) {
        discard;
    }
    value = READ(rhs, ivec2(TEXEL.x / 10, TEXEL.y));
}
