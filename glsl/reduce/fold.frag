// One stage of a reduction: FOLD x FOLD texels of `x` into one.
//
// Defines: FOLD; one of MAP_SAME, MAP_MAGNITUDE, MAP_SQUARE, MAP_PRODUCT (what happens to a number
// first); one of COMBINE_SUM, COMBINE_MIN, COMBINE_MAX; one of NUMBER_FLOAT, NUMBER_VEC2,
// NUMBER_VEC4 (channels in use); RAGGED where the edge of `x` may cut the square.
// Inputs: x, and y for MAP_PRODUCT. Source: Horn, "Stream Reduction Operations", and SEEDS of 2004:
// base = FOLD * o.

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
// min and max may drop a NaN; this keeps one that `a` holds, and takes one that `b` holds.
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

void main() {
    vec2 first = floor(gl_FragCoord.xy) * float(FOLD) + 0.5;
#ifdef RAGGED
    // The first texel is always inside; what lies outside is left out.
    vec2 end = min(vec2(FOLD), vec2(textureSize(x, 0)) - first + 0.5);
    NUMBER total = number_at(first);
    for (float j = 0.0; j < end.y; j += 1.0) {
        for (float i = j == 0.0 ? 1.0 : 0.0; i < end.x; i += 1.0) {
            total = COMBINE(total, number_at(first + vec2(i, j)));
        }
    }
    folded = four(total);
#else
    NUMBER total = number_at(first);
    for (int i = 1; i < FOLD; i++) {
        total = COMBINE(total, number_at(first + vec2(i, 0)));
    }
    for (int j = 1; j < FOLD; j++) {
        for (int i = 0; i < FOLD; i++) {
            total = COMBINE(total, number_at(first + vec2(i, j)));
        }
    }
    folded = four(total);
#endif
}
