// A Gaussian blur of a picture in two steps: the first along rows, the second along columns. `sigma`
// is in pixels. Beyond the edge the picture goes on as its last pixel.
//
// That a Gaussian separates so is why it is the one blur to use: D. Marr, E. Hildreth, "Theory of
// Edge Detection", Proceedings of the Royal Society B 207, 1980.
//
//   quadrille run gallery/blur.frag --input image=docs/plate.png --uniform sigma=4 \
//       --iterate 2 --feedback blurred=image --output blurred=blur.png

uniform sampler2D image;
uniform float sigma;
uniform int iteration;
out vec3 blurred;

void main() {
    ivec2 along = iteration % 2 == 0 ? ivec2(1, 0) : ivec2(0, 1);
    int radius = int(ceil(3.0 * sigma));
    vec3 sum = vec3(0.0);
    float weights = 0.0;
    for (int i = -radius; i <= radius; i++) {
        float weight = exp(-float(i * i) / (2.0 * sigma * sigma));
        sum += weight * READ_CLAMPED(image, TEXEL + i * along).rgb;
        weights += weight;
    }
    blurred = sum / weights;
}
