// The velocity, carried along by itself (../fluid.run.toml): what is here was a step ago where the velocity leads back to.

#include "bilinear.glsl"

uniform sampler2D velocity;
uniform float dt;
out vec2 moved;

void main() {
    moved = bilinear(velocity, vec2(TEXEL) - dt * READ(velocity, TEXEL).rg).rg;
}
