// Numbers of a panel of a grid, four in a texel, as those of a texture with one in a texel.
//
// Inputs: panel; the texel of the whole grid that is the panel's first one.

uniform sampler2D panel;
uniform ivec2 first;
out float number;

void main()
{
    vec4 four = READ(panel, ivec2(TEXEL.x / 4, TEXEL.y) - first);
    int lane = TEXEL.x % 4;
    number = lane < 2 ? (lane == 0 ? four.x : four.y) : (lane == 2 ? four.z : four.w);
}
