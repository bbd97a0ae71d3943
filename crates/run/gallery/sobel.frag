// The edges of a picture: the length of the gradient of its brightness, by Sobel's two masks.
//
// I. Sobel, G. Feldman, "A 3x3 Isotropic Gradient Operator for Image Processing", Stanford
// Artificial Intelligence Project, 1968. The weights of red, green and blue are ITU-R BT.709's.
//
//   quadrille run crates/run/gallery/sobel.frag --input image=docs/plate.png --output edges=sobel.png

uniform sampler2D image;
out float edges;

float brightness(int x, int y) {
    vec3 colour = READ_CLAMPED(image, TEXEL + ivec2(x, y)).rgb;
    return dot(colour, vec3(0.2126, 0.7152, 0.0722));
}

void main() {
    float left = brightness(-1, -1) + 2.0 * brightness(-1, 0) + brightness(-1, 1);
    float right = brightness(1, -1) + 2.0 * brightness(1, 0) + brightness(1, 1);
    float above = brightness(-1, -1) + 2.0 * brightness(0, -1) + brightness(1, -1);
    float below = brightness(-1, 1) + 2.0 * brightness(0, 1) + brightness(1, 1);
    edges = length(vec2(right - left, below - above));
}
