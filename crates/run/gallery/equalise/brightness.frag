// The brightness of a picture (../equalise.run.toml).

uniform sampler2D image;
out float brightness;

void main() {
    brightness = dot(READ(image, TEXEL).rgb, vec3(0.299, 0.587, 0.114));
}
