// Each cell in the colour of its seed, darker far from it (../voronoi.run.toml).

uniform isampler2D nearest;
out vec3 colour;

void main() {
    ivec2 seed = READ(nearest, TEXEL).rg;
    float hue = fract(float(seed.x * 37 + seed.y * 101) * 0.618034);
    vec3 tint = 0.55 + 0.45 * cos(6.28318531 * (hue + vec3(0.0, 0.33, 0.67)));
    float far = length(vec2(seed - TEXEL));
    colour = tint * (1.0 - 0.018 * min(far, 40.0)) * smoothstep(0.5, 1.5, far);
}
