// The ink as a colour (../fluid.run.toml).

uniform sampler2D ink;
out vec3 colour;

void main() {
    float much = clamp(READ(ink, TEXEL).r, 0.0, 1.0);
    colour = mix(mix(vec3(0.97, 0.94, 0.86), vec3(0.9, 0.45, 0.2), smoothstep(0.0, 0.5, much)), vec3(0.1, 0.08, 0.25), smoothstep(0.5, 1.0, much));
}
