// Bodies as a picture (../nbody.run.toml): each cell is a pixel, and adds up the light of all bodies, a
// small Gaussian each. The view is from -1.2 to 1.2 along x and y, y up.

uniform sampler2D bodies;
in vec2 place;
out vec3 colour;

const float WIDTH = 0.008;

void main() {
    vec2 here = (place - 0.5) * vec2(2.4, -2.4);
    float light = 0.0;
    ivec2 size = textureSize(bodies, 0);
    for (int y = 0; y < size.y; y++) {
        for (int x = 0; x < size.x; x++) {
            vec2 way = READ(bodies, ivec2(x, y)).xy - here;
            light += exp(-dot(way, way) / (2.0 * WIDTH * WIDTH));
        }
    }
    colour = 1.0 - exp(-light * vec3(0.7, 1.0, 1.8));
}
