// The light that a number of an sRGB picture stands for (IEC 61966-2-1).
uniform sampler2D encoded;
out float light;
void main() {
    float number = READ(encoded, TEXEL).r;
    light = number <= 0.04045 ? number / 12.92 : pow((number + 0.055) / 1.055, 2.4);
}
