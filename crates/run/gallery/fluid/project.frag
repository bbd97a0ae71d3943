// The velocity without the gradient of the pressure, which leaves nearly no divergence (../fluid.run.toml).

uniform sampler2D velocity;
uniform sampler2D pressure;
out vec2 next;

void main() {
    float across = READ_WRAPPED(pressure, TEXEL + ivec2(1, 0)).r - READ_WRAPPED(pressure, TEXEL - ivec2(1, 0)).r;
    float along = READ_WRAPPED(pressure, TEXEL + ivec2(0, 1)).r - READ_WRAPPED(pressure, TEXEL - ivec2(0, 1)).r;
    next = READ(velocity, TEXEL).rg - 0.5 * vec2(across, along);
}
