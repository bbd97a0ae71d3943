// Adds weight to the velocity along y, which grows downwards: what is dense sinks (Boussinesq's approximation), but not into a wall.
//
// v: the velocity along y. density: at centres. weight: what a step adds where the density is 1.

uniform sampler2D v;
uniform sampler2D density;
uniform float weight;
out float faster;

void main()
{
    if (TEXEL.y == 0 || TEXEL.y == textureSize(density, 0).y) {
        faster = 0.0;
        return;
    }
    float between = 0.5 * (READ(density, TEXEL).r + READ(density, TEXEL - ivec2(0, 1)).r);
    faster = READ(v, TEXEL).r + weight * between;
}
