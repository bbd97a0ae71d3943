// One stage of a reduction: FOLD_X x FOLD_Y texels of `x` into one.
//
// The texels that fold into one are `stride` apart, the extent of the target, and not adjacent: so adjacent fragments
// read adjacent texels at every step, which suits caches and coalesced memory (docs/measured.md). Rows are combined
// first, so that the longest chain of roundings is FOLD_X + FOLD_Y - 2 and not their product.
//
// Defines: FOLD_X, FOLD_Y; one of MAP_SAME, MAP_MAGNITUDE, MAP_SQUARE, MAP_PRODUCT, applied to each value first; one of
// COMBINE_SUM, COMBINE_MIN, COMBINE_MAX; one of NUMBER_FLOAT, NUMBER_VEC2, NUMBER_VEC4, the channels in use; RAGGED if
// the edge of `x` may cut the block.
// Inputs: x, and y for MAP_PRODUCT; stride. Output: the fold.
// Source: Horn, "Stream Reduction Operations for GPGPU Applications" (GPU Gems 2, 2005), with the strided access above.

#if defined(NUMBER_FLOAT)
#define NUMBER float
#define CHANNELS r
#elif defined(NUMBER_VEC2)
#define NUMBER vec2
#define CHANNELS rg
#else
#define NUMBER vec4
#define CHANNELS rgba
#endif

uniform sampler2D x;
#ifdef MAP_PRODUCT
uniform sampler2D y;
#endif
uniform vec2 stride;
out vec4 folded;

NUMBER number_at(vec2 centre) {
    NUMBER number = READ_AT(x, COORDINATE(x, centre)).CHANNELS;
#if defined(MAP_MAGNITUDE)
    return abs(number);
#elif defined(MAP_SQUARE)
    return number * number;
#elif defined(MAP_PRODUCT)
    return number * READ_AT(y, COORDINATE(y, centre)).CHANNELS;
#else
    return number;
#endif
}

#ifdef COMBINE_SUM
#define COMBINE(a, b) (a + b)
#else
// min and max may drop a NaN; this keeps a NaN of either.
#ifdef COMBINE_MIN
#define BETTER(a, b) (a < b || a != a)
#else
#define BETTER(a, b) (a > b || a != a)
#endif
float combine(float a, float b) { return BETTER(a, b) ? a : b; }
vec2 combine(vec2 a, vec2 b) { return vec2(combine(a.x, b.x), combine(a.y, b.y)); }
vec4 combine(vec4 a, vec4 b) { return vec4(combine(a.xy, b.xy), combine(a.zw, b.zw)); }
#define COMBINE(a, b) combine(a, b)
#endif

vec4 four(float number) { return vec4(number, 0.0, 0.0, 0.0); }
vec4 four(vec2 number) { return vec4(number, 0.0, 0.0); }
vec4 four(vec4 number) { return number; }

NUMBER row(vec2 centre) {
    NUMBER total = number_at(centre);
    for (int i = 1; i < FOLD_X; i++) {
        total = COMBINE(total, number_at(centre + vec2(i, 0) * stride));
    }
    return total;
}

// As row(), without the texels outside; the first one is always inside.
NUMBER cut_row(vec2 centre, vec2 size) {
    NUMBER total = number_at(centre);
    for (int i = 1; i < FOLD_X; i++) {
        vec2 next = centre + vec2(i, 0) * stride;
        if (next.x < size.x) {
            total = COMBINE(total, number_at(next));
        }
    }
    return total;
}

void main() {
    vec2 first = gl_FragCoord.xy;
#ifdef RAGGED
    vec2 size = vec2(textureSize(x, 0));
    NUMBER total = cut_row(first, size);
    for (int j = 1; j < FOLD_Y; j++) {
        vec2 next = first + vec2(0, j) * stride;
        if (next.y < size.y) {
            total = COMBINE(total, cut_row(next, size));
        }
    }
#else
    NUMBER total = row(first);
    for (int j = 1; j < FOLD_Y; j++) {
        total = COMBINE(total, row(first + vec2(0, j) * stride));
    }
#endif
    folded = four(total);
}
