// The least index at which a number occurs among SIDE x SIDE texels.
//
// Inputs: of the first stage, FIRST: numbers, a vector's quads row by row; wanted, the number's bits; count, the length of
// the vector. Of later stages: found, the output of the stage before.
// Defines: SIDE; FIRST; BYTES: the quads are fractions of 255.
// Output: position; 0x7fffffff if the number does not occur.
// Source: Thompson, Hahn, Oskin, Using Modern Graphics Architectures for General-Purpose Computing, section 6, which
// wishes that a vector could be asked for "the vector index where number 42 is".
#ifdef FIRST
uniform sampler2D numbers;
uniform int wanted;
uniform int count;
#define FROM numbers
#else
uniform isampler2D found;
#define FROM found
#endif
out int position;

const int NOWHERE = 0x7fffffff;

int position_at(ivec2 place) {
#ifdef FIRST
    vec4 quad = READ(numbers, place);
#ifdef BYTES
    quad = floor(quad * 255.0 + 0.5);
#endif
    // Compares bits, since comparing floats may flush denormals to zero; both zeros are 0. Mesa 25 takes a comparison of
    // all bits but the sign with 0 for one of floats.
    ivec4 bits = floatBitsToInt(quad);
    bits *= ivec4(notEqual(bits, ivec4(int(0x80000000u))));
    int start = 4 * (place.y * textureSize(numbers, 0).x + place.x);
    int here = NOWHERE;
    here = bits.w == wanted && start + 3 < count ? start + 3 : here;
    here = bits.z == wanted && start + 2 < count ? start + 2 : here;
    here = bits.y == wanted && start + 1 < count ? start + 1 : here;
    here = bits.x == wanted && start < count ? start : here;
    return here;
#else
    return READ(found, place).r;
#endif
}

void main() {
    ivec2 begin = TEXEL * SIDE;
    ivec2 end = min(begin + SIDE, textureSize(FROM, 0));
    position = NOWHERE;
    for (int y = begin.y; y < end.y; y++) {
        for (int x = begin.x; x < end.x; x++) {
            position = min(position, position_at(ivec2(x, y)));
        }
    }
}
