// The share of a picture that is no brighter than a pixel (../equalise.run.toml).

uniform sampler2D brightness;
uniform usampler2D sums;    // how many pixels are in each of the levels up to one
out float equalised;

void main() {
    int levels = textureSize(sums, 0).x;
    int level = min(int(READ(brightness, TEXEL).r * float(levels)), levels - 1);
    float all = float(READ(sums, ivec2(levels - 1, 0)).r);
    equalised = float(READ(sums, ivec2(level, 0)).r) / all;
}
