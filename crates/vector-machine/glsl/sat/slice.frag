// The bits of the choices of a group's 128 candidates: column p holds bit p of each. Input: choices.
uniform highp usampler2D choices;
out uvec4 plane;

uint word(int first) {
    uint bits = 0u;
    for (int c = 0; c < 32; c++) {
        uint choice = READ(choices, ivec2(first + c, TEXEL.y)).r;
        bits |= (choice >> uint(TEXEL.x) & 1u) << uint(c);
    }
    return bits;
}

void main() {
    plane = uvec4(word(0), word(32), word(64), word(96));
}
