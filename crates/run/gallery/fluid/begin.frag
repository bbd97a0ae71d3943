// What a step of ../fluid.run.toml begins with: at iteration 0 two layers with a small wave between them, and ink in one.

uniform sampler2D velocity;
uniform sampler2D ink;
uniform int iteration;
in vec2 place;
layout(location = 0) out vec2 flow;
layout(location = 1) out float dye;

void main() {
    flow = READ(velocity, TEXEL).rg;
    dye = READ(ink, TEXEL).r;
    if (iteration > 0) return;
    float layer = tanh(30.0 * (0.25 - abs(place.y - 0.5)));
    float wave = sin(12.566371 * place.x) + 0.4 * sin(31.415927 * place.x + 1.0);
    float near = abs(abs(place.y - 0.5) - 0.25);
    flow = vec2(0.8 * layer, 0.08 * wave * exp(-near * near / 0.005));
    dye = 0.5 + 0.5 * layer;
}
