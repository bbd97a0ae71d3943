// A level of a texture from the level before: each texel is the mean of the part of it that it covers, which is two texels
// along an even side and 2 + 1 / n along a side of 2 n + 1, where the first and the last of three count for a part. So the
// mean of a level is that of the texture, and the last level is that mean. Along a side that stays as it is, each texel
// covers one.
//
// VALUE, PART   the type of a texel and its channels: float and r, vec2 and rg, vec3 and rgb, vec4 and rgba
// LAYERED       if defined, image is a texture array
// image         the level before
// layer         the layer to halve, if LAYERED
// size          the extent of this level

#ifdef LAYERED
uniform sampler2DArray image;
uniform int layer;
#define TEXEL_OF(p) texelFetch(image, ivec3(p, layer), 0).PART
#else
uniform sampler2D image;
#define TEXEL_OF(p) texelFetch(image, p, 0).PART
#endif
uniform ivec2 size;

out VALUE mean;

// How many of these texels a texel covers along an axis, not all of them wholly.
int covered(int from, int to) {
    return from == to ? 1 : 2 + from % 2;
}

// The part of a texel that one of the texels that it covers is.
float weight(int which, int at, int from, int to) {
    if (from % 2 == 0 || from == to) return 1.0 / float(covered(from, to));
    return float(which == 0 ? to - at : which == 1 ? to : at + 1) / float(from);
}

void main() {
    ivec2 from = textureSize(image, 0).xy;
    ivec2 count = ivec2(covered(from.x, size.x), covered(from.y, size.y));
    ivec2 first = TEXEL * ivec2(from.x == size.x ? 1 : 2, from.y == size.y ? 1 : 2);
    mean = VALUE(0.0);
    for (int y = 0; y < count.y; y++) {
        VALUE row = VALUE(0.0);
        for (int x = 0; x < count.x; x++) {
            row += weight(x, TEXEL.x, from.x, size.x) * TEXEL_OF(first + ivec2(x, y));
        }
        mean += weight(y, TEXEL.y, from.y, size.y) * row;
    }
}
