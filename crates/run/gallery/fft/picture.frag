// The logarithm of a spectrum's magnitude, the lowest frequency in the middle (../fft.run.toml).

uniform sampler2D x;
out float strength;

void main() {
    ivec2 size = textureSize(x, 0);
    strength = log(1.0 + length(READ(x, (TEXEL + size / 2) % size).rg)) / 9.0;
}
