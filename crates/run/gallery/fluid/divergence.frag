// How much more flows out of a cell than into it (../fluid.run.toml).

uniform sampler2D velocity;
out float excess;

void main() {
    float across = READ_WRAPPED(velocity, TEXEL + ivec2(1, 0)).r - READ_WRAPPED(velocity, TEXEL - ivec2(1, 0)).r;
    float along = READ_WRAPPED(velocity, TEXEL + ivec2(0, 1)).g - READ_WRAPPED(velocity, TEXEL - ivec2(0, 1)).g;
    excess = 0.5 * (across + along);
}
