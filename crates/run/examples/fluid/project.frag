// Subtracts the gradient of a pressure from the velocity along one axis. Nothing flows through the walls.
//
// velocity: along the axis ACROSS. pressure: at the centres of cells.

uniform sampler2D velocity;
uniform sampler2D pressure;
out float solenoidal;

void main()
{
    const ivec2 across = ACROSS;
    ivec2 size = textureSize(pressure, 0);
    ivec2 before = TEXEL - across;
    if (before.x < 0 || before.y < 0 || TEXEL.x == size.x || TEXEL.y == size.y) {
        solenoidal = 0.0;
        return;
    }
    solenoidal = READ(velocity, TEXEL).r - (READ(pressure, TEXEL).r - READ(pressure, before).r);
}
