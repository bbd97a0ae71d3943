// What flows into a cell: minus the divergence of the velocity (u, v).

uniform sampler2D u;
uniform sampler2D v;
out float inflow;

void main()
{
    float along_x = READ(u, TEXEL).r - READ(u, TEXEL + ivec2(1, 0)).r;
    float along_y = READ(v, TEXEL).r - READ(v, TEXEL + ivec2(0, 1)).r;
    inflow = along_x + along_y;
}
