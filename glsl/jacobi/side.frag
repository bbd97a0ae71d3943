// Puts the right-hand side among the bands of the packed layout: every tenth texel of the target
// gets the next texel of `side`, and the bands between keep what they hold.
// Input: side, as x lies. Target: bands (include/nine_bands.glsl).
uniform sampler2D side;
out vec4 value;

void main() {
    if (TEXEL.x % 10 != 9) {
        discard;
    }
    value = READ(side, ivec2(TEXEL.x / 10, TEXEL.y));
}
