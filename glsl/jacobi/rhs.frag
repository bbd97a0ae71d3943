// Writes the right-hand side between the bands of the packed layout: every tenth texel of the target, or with PANELS
// the last of ten panels, becomes the next texel of `rhs`; the bands keep their values.
// Input: rhs, in the layout of x. Target: bands (include/nine_bands.glsl).
uniform sampler2D rhs;
out vec4 value;

void main() {
#ifdef PANELS
    int column = TEXEL.x - 9 * textureSize(rhs, 0).x;
    if (column < 0) {
        discard;
    }
#else
    if (TEXEL.x % 10 != 9) {
        discard;
    }
    int column = TEXEL.x / 10;
#endif
    value = READ(rhs, ivec2(column, TEXEL.y));
}
