// A repetition of jump flooding (../voronoi.run.toml): the nearest seed that this cell, or one of eight at a distance, knows.

uniform isampler2D nearest;
uniform int repetition;
out ivec2 next;

int squared(ivec2 seed) {
    ivec2 way = seed - TEXEL;
    return seed.x < 0 ? 2147483647 : way.x * way.x + way.y * way.y;
}

void main() {
    ivec2 size = textureSize(nearest, 0);
    int far = 128 >> repetition;
    next = READ(nearest, TEXEL).rg;
    for (int y = -1; y <= 1; y++) {
        for (int x = -1; x <= 1; x++) {
            ivec2 cell = TEXEL + far * ivec2(x, y);
            if (any(lessThan(cell, ivec2(0))) || any(greaterThanEqual(cell, size))) continue;
            ivec2 seed = READ(nearest, cell).rg;
            if (squared(seed) < squared(next)) next = seed;
        }
    }
}
