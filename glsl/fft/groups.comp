// A pass of a Fourier transform by a large radix, which is a transform of its own in each work group's shared memory.
//
// A group transforms COLUMNS columns, each of RADIX = RADIX_1 * RADIX_2 * RADIX_3 numbers, by as many steps as have a radix above 1. An
// invocation has PER numbers of a step in registers.
//
// Defines: RADIX_1, RADIX_2, RADIX_3, COLUMNS, GROUP, PER. IN_ROWS if the numbers of a column are beside each other in x, OUT_ROWS in the
// result: else those of neighbouring columns are. ROOTS if the results are multiplied by roots, TWO_LEVELS if a root is the product of
// two of the table. Inputs: x and shift, the exponent of its rows' length, which is the result's too; Roots, the table
// (src/primitives/fft/roots.rs), and Steps, the roots of the order RADIX; columns, of the whole array; block, across and done
// (src/primitives/fft/plan.rs); before and after, factors of real and imaginary parts. Output: result.
// Source: Govindaraju et al., "High Performance Discrete Fourier Transforms on Graphics Processors" (2008).
layout(local_size_x = GROUP) in;
#include "include/complex.glsl"
#include "include/butterflies.glsl"
layout(std430, binding = 0) readonly buffer Roots { vec2 roots[]; };
layout(std430, binding = 1) readonly buffer Steps { vec2 steps[]; };
layout(binding = 0, rgba32f) uniform writeonly highp image2D result;
uniform sampler2D x;
uniform int shift, columns, block, across, done;
uniform vec2 before, after;

const int RADIX = RADIX_1 * RADIX_2 * RADIX_3;
// A gap after each 16 numbers, so that steps of 16 do not meet in one bank.
#if defined(IN_ROWS) || defined(OUT_ROWS)
const int PITCH = RADIX + RADIX / 16 + 1;
shared vec2 tile[COLUMNS * PITCH];
int place(int column, int index) { return column * PITCH + index + (index >> 4); }
#else
shared vec2 tile[COLUMNS * RADIX];
int place(int column, int index) { return column + COLUMNS * index; }
#endif

#define EACH_BUTTERFLY(radix, b) for (int b = 0; b < (COLUMNS * RADIX + radix * GROUP - 1) / (radix * GROUP); b++)
#define ID(b) ((b) * GROUP + int(gl_LocalInvocationIndex))
#define EXISTS(radix, b) ((COLUMNS * RADIX) % (radix * GROUP) == 0 || ID(b) < COLUMNS * RADIX / radix)

ivec2 place_of(int index) { return ivec2(index & ((1 << shift) - 1), index >> shift); }

// The column and the index of a butterfly: one of them counts first.
ivec2 by_rows(int id, int count) { return ivec2(id / count, id % count); }
ivec2 by_columns(int id) { return ivec2(id % COLUMNS, id / COLUMNS); }
#ifdef IN_ROWS
#define OF_FIRST(id, count) by_rows(id, count)
#else
#define OF_FIRST(id, count) by_columns(id)
#endif
#ifdef OUT_ROWS
#define OF_LATER(id, count) by_rows(id, count)
#else
#define OF_LATER(id, count) by_columns(id)
#endif

int column_of(int column) { return int(gl_WorkGroupID.x + gl_WorkGroupID.y * gl_NumWorkGroups.x) * COLUMNS + column; }

void butterflies(const int radix, inout vec2 v[PER]) {
    for (int b = 0; b < PER / radix; b++) {
        int o = b * radix;
        if (radix == 2) {
            dft_2(v[o], v[o + 1]);
        }
#if PER >= 3
        if (radix == 3) {
            dft_3(v[o], v[o + 1], v[o + 2]);
        }
#endif
#if PER >= 4
        if (radix == 4) {
            dft_4(v[o], v[o + 1], v[o + 2], v[o + 3]);
        }
#endif
#if PER >= 5
        if (radix == 5) {
            dft_5(v[o], v[o + 1], v[o + 2], v[o + 3], v[o + 4]);
        }
#endif
#if PER >= 7
        if (radix == 7) {
            dft_7(v[o], v[o + 1], v[o + 2], v[o + 3], v[o + 4], v[o + 5], v[o + 6]);
        }
#endif
#if PER >= 8
        if (radix == 8) {
            dft_8(v[o], v[o + 1], v[o + 2], v[o + 3], v[o + 4], v[o + 5], v[o + 6], v[o + 7]);
        }
#endif
#if PER >= 16
        if (radix == 16) {
            dft_16(v[o], v[o + 1], v[o + 2], v[o + 3], v[o + 4], v[o + 5], v[o + 6], v[o + 7], v[o + 8], v[o + 9], v[o + 10],
                v[o + 11], v[o + 12], v[o + 13], v[o + 14], v[o + 15]);
        }
#endif
    }
}

// What a step gives to the next one: `before_it` is the product of the radices before it.
#define GIVE(radix, before_it, mapping) \
    EACH_BUTTERFLY(radix, b) { \
        if (EXISTS(radix, b)) { \
            ivec2 at = mapping(ID(b), RADIX / (radix)); \
            int p = at.y / (before_it); \
            int first = at.y - p * (before_it) + (before_it) * (radix) * p; \
            tile[place(at.x, first)] = v[b * (radix)]; \
            for (int m = 1; m < (radix); m++) { \
                tile[place(at.x, first + (before_it) * m)] = times(v[b * (radix) + m], steps[p * m * (before_it)]); \
            } \
        } \
    } \
    barrier();

#define TAKE(radix) \
    EACH_BUTTERFLY(radix, b) { \
        if (EXISTS(radix, b)) { \
            ivec2 at = OF_LATER(ID(b), RADIX / (radix)); \
            for (int r = 0; r < (radix); r++) { \
                v[b * (radix) + r] = tile[place(at.x, at.y + r * (RADIX / (radix)))]; \
            } \
        } \
    }

#if RADIX_3 > 1
#define RADIX_LAST RADIX_3
#elif RADIX_2 > 1
#define RADIX_LAST RADIX_2
#else
#define RADIX_LAST RADIX_1
#endif
#if RADIX_2 > 1
#define OF_LAST OF_LATER
#else
#define OF_LAST OF_FIRST
#endif

vec2 input_at(int index) {
    vec4 two = texelFetch(x, place_of(index >> 1), 0);
    return ((index & 1) == 0 ? two.xy : two.zw) * before;
}

vec2 root_at(int index) {
#ifdef TWO_LEVELS
    return times(roots[index & 4095], roots[4096 + (index >> 12)]);
#else
    return roots[index];
#endif
}

// The result of a column with this index stands at the sum of this and of block times the index.
int result_of(int column, out int p) {
    int outer = column / across;
    int j = column - outer * across;
    p = j / block;
    return outer * RADIX * across + j - p * block + block * RADIX * p;
}

void main() {
    vec2 v[PER];
    EACH_BUTTERFLY(RADIX_1, b) {
        if (EXISTS(RADIX_1, b)) {
            ivec2 at = OF_FIRST(ID(b), RADIX / RADIX_1);
            int column = min(column_of(at.x), columns - 1);
            int outer = column / across;
            int first = outer * RADIX * across + column - outer * across + at.y * across;
            for (int r = 0; r < RADIX_1; r++) {
                v[b * RADIX_1 + r] = input_at(first + r * (RADIX / RADIX_1) * across);
            }
        }
    }
    butterflies(RADIX_1, v);
#if RADIX_2 > 1
    GIVE(RADIX_1, 1, OF_FIRST)
    TAKE(RADIX_2)
    butterflies(RADIX_2, v);
    barrier();
#endif
#if RADIX_3 > 1
    GIVE(RADIX_2, RADIX_1, OF_LATER)
    TAKE(RADIX_3)
    butterflies(RADIX_3, v);
    barrier();
#endif
    EACH_BUTTERFLY(RADIX_LAST, b) {
        if (EXISTS(RADIX_LAST, b)) {
            ivec2 at = OF_LAST(ID(b), RADIX / RADIX_LAST);
            int p;
            result_of(column_of(at.x), p);
            for (int m = 0; m < RADIX_LAST; m++) {
                int index = at.y + m * (RADIX / RADIX_LAST);
                vec2 value = v[b * RADIX_LAST + m];
#ifdef ROOTS
                value = times(value, root_at(p * index * done));
#endif
                tile[place(at.x, index)] = value * after;
            }
        }
    }
    barrier();
    // Two numbers make a texel: of one column where these are beside each other, else of two columns.
    for (int k = int(gl_LocalInvocationIndex); k < COLUMNS * RADIX / 2; k += GROUP) {
#ifdef OUT_ROWS
        ivec2 at = ivec2(k / (RADIX / 2), 2 * (k % (RADIX / 2)));
        vec4 two = vec4(tile[place(at.x, at.y)], tile[place(at.x, at.y + 1)]);
#else
        ivec2 at = ivec2(2 * (k % (COLUMNS / 2)), k / (COLUMNS / 2));
        vec4 two = vec4(tile[place(at.x, at.y)], tile[place(at.x + 1, at.y)]);
#endif
        int p;
        int column = column_of(at.x);
        int index = result_of(column, p) + block * at.y;
        if (column < columns) {
            imageStore(result, place_of(index >> 1), two);
        }
    }
}
