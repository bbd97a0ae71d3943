// Each texel of `image` in the chosen way of reading.
uniform sampler2D image;
out vec4 value;

void main() {
    value = READ(image, TEXEL);
}
