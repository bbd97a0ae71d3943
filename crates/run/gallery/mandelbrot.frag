// The Mandelbrot set: how many steps of z -> z z + c, from 0, it takes to leave the circle of radius
// 16, or `limit` where it does not; and a colour, without bands, from how far out the last z is.
//
// R. Brooks, J. P. Matelski, 1978; B. Mandelbrot, Annals of the New York Academy of Sciences 357,
// 1980. The palette is I. Quilez's, a cosine for each of red, green and blue.
//
//   quadrille run crates/run/gallery/mandelbrot.frag --size 360x240 --uniform centre=-0.65,0 \
//       --uniform width=3.3 --uniform limit=200 --output colour=mandelbrot.png

uniform vec2 centre;
uniform float width;
uniform int limit;
uniform ivec2 size;
in vec2 place;
layout(location = 0) out int steps;
layout(location = 1) out vec3 colour;

void main() {
    float height = width * float(size.y) / float(size.x);
    // The top row is y = 0, and the imaginary axis goes up.
    vec2 c = centre + (place - 0.5) * vec2(width, -height);
    vec2 z = vec2(0.0);
    int n = 0;
    while (n < limit && dot(z, z) <= 256.0) {
        z = vec2(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) + c;
        n++;
    }
    steps = n;
    float smooth_n = float(n) - log2(0.5 * log2(max(dot(z, z), 256.0)));
    vec3 phase = 6.2831853 * (0.02 * smooth_n + vec3(0.55, 0.62, 0.7));
    colour = dot(z, z) <= 256.0 ? vec3(0.0) : 0.5 + 0.5 * cos(phase);
}
