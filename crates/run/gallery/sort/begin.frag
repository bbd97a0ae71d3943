// The brightness of a picture (../sort.run.toml); beyond its edge it goes on as its last pixel.

uniform sampler2D image;
out float brightness;

void main() {
    brightness = dot(READ_CLAMPED(image, TEXEL).rgb, vec3(0.299, 0.587, 0.114));
}
