// The brightness of a picture as complex numbers (../fft.run.toml), smoothed to nothing at the edges by Hann's window: the
// transform takes the picture for periodic, and a jump at its edge would be a bright cross.

uniform sampler2D image;
uniform ivec2 size;
out vec2 y;

void main() {
    vec2 window = sin(3.14159265 * (vec2(TEXEL) + 0.5) / vec2(size));
    vec3 colour = READ_CLAMPED(image, TEXEL).rgb;
    y = vec2(dot(colour, vec3(0.299, 0.587, 0.114)) * window.x * window.x * window.y * window.y, 0.0);
}
