// A Gaussian blur along rows or columns: see ../blur.run.toml. Beyond the edge the picture goes on as its last pixel.

uniform sampler2D image;
uniform float sigma;
uniform ivec2 along;
out vec3 blurred;

void main() {
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
