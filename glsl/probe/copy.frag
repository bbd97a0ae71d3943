// Each texel of `image` as the chosen way of reading gives it.
uniform sampler2D image;
out vec4 value;

void main() {
    value = READ(image, TEXEL);
}
