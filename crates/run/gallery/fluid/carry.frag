// The ink, carried along by the velocity (../fluid.run.toml).

#include "bilinear.glsl"

uniform sampler2D velocity;
uniform sampler2D ink;
uniform float dt;
out float next;

void main() {
    next = bilinear(ink, vec2(TEXEL) - dt * READ(velocity, TEXEL).rg).r;
}
