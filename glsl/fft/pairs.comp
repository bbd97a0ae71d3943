// A pass of a Fourier transform by a radix that is a power of two, in work groups: the two numbers of a texel go the same way.
//
// A group transforms COLUMNS columns of RADIX = RADIX_1 * .. * RADIX_4 numbers by as many steps as have a radix above 1. An invocation
// has pairs of numbers in registers: of two columns beside each other or, where a column's numbers are beside each other (IN_ROWS,
// OUT_ROWS), two of one column. Between steps real and then imaginary parts pass through shared memory, which need hold but one of them.
//
// Defines: RADIX_1 (the largest) to RADIX_4, COLUMNS, GROUP. IN_ROWS if the numbers of a column are beside each other in x, OUT_ROWS in
// the result. ROOTS if the results are multiplied by roots, TWO_LEVELS if a root is the product of two of the table. FROM_BUFFER,
// TO_BUFFER: x and result are blocks. TALL: a group's columns are as many rows of the texture, since memory keeps texels in tiles.
// Inputs: x and shift, the exponent of its rows' length, which is the result's too; Roots, the table (src/primitives/fft/roots.rs), and
// Steps, the roots of each step (src/primitives/fft/groups/pairs.rs); columns, of the whole array; row, how many of them are a row of
// the texture; block, across and done (src/primitives/fft/plan.rs); before and after, factors of real and imaginary parts.
// Output: result. Source: Govindaraju et al., "High Performance Discrete Fourier Transforms on Graphics Processors" (2008).
layout(local_size_x = GROUP) in;
#define COMPLEX vec4
#include "include/complex.glsl"
#include "include/butterflies.glsl"
layout(std430, binding = 0) readonly buffer Roots { vec2 roots[]; };
layout(std430, binding = 1) readonly buffer Steps { vec2 steps[]; };
#ifdef FROM_BUFFER
layout(std430, binding = 2) readonly buffer From { vec4 x[]; };
#else
uniform sampler2D x;
#endif
#ifdef TO_BUFFER
layout(std430, binding = 3) writeonly buffer To { vec4 result[]; };
#else
layout(binding = 0, rgba32f) uniform writeonly highp image2D result;
#endif
uniform int shift, columns, row, block, across, done;
uniform vec2 before, after;

const int RADIX = RADIX_1 * RADIX_2 * RADIX_3 * RADIX_4;
// The pairs in shared memory, two real or two imaginary parts each. Gaps keep the invocations of a step out of each other's banks.
#ifdef OUT_ROWS
const int ROW = RADIX / 2 + RADIX / 32;
shared vec2 tile[COLUMNS * ROW + COLUMNS / 2 + 1];
int place(ivec2 at) { return at.x * ROW + (at.x >> 1) + (at.y >> 1) + (at.y >> 5); }
#else
shared vec2 tile[COLUMNS / 2 * RADIX];
int place(ivec2 at) { return (at.x >> 1) + COLUMNS / 2 * at.y; }
#endif

// The pairs of butterflies of an invocation, and the place of one: its column and its index, of which one is the first of two.
#define COUNT(radix) (COLUMNS * RADIX / 2 / (radix) / GROUP)
#define EACH(radix, b) for (int b = 0; b < COUNT(radix); b++)
#define ID(b) ((b) * GROUP + int(gl_LocalInvocationIndex))
const int PER = COUNT(RADIX_1) * RADIX_1;
ivec2 by_rows(int id, int count) { return ivec2(id / (count / 2), id % (count / 2) * 2); }
ivec2 by_columns(int id) { return ivec2(id % (COLUMNS / 2) * 2, id / (COLUMNS / 2)); }
#ifdef IN_ROWS
#define OF_FIRST(b) by_rows(ID(b), RADIX / RADIX_1)
#else
#define OF_FIRST(b) by_columns(ID(b))
#endif
#ifdef OUT_ROWS
#define OF_LATER(radix, b) by_rows(ID(b), RADIX / (radix))
#else
#define OF_LATER(radix, b) by_columns(ID(b))
#endif

#if RADIX_4 > 1
#define RADIX_LAST RADIX_4
#elif RADIX_3 > 1
#define RADIX_LAST RADIX_3
#elif RADIX_2 > 1
#define RADIX_LAST RADIX_2
#else
#define RADIX_LAST RADIX_1
#endif

vec4 times_each(vec4 a, vec4 w) { return vec4(times(a.xy, w.xy), times(a.zw, w.zw)); }

int column_of(int column) {
    int group = int(gl_WorkGroupID.x + gl_WorkGroupID.y * gl_NumWorkGroups.x);
#if TALL > 1
    const int WIDTH = COLUMNS / TALL;
    int groups = row / WIDTH;
    return (group / groups * TALL + column / WIDTH) * row + group % groups * WIDTH + column % WIDTH;
#else
    return group * COLUMNS + column;
#endif
}

ivec2 place_of(int texel) { return ivec2(texel & ((1 << shift) - 1), texel >> shift); }

vec4 load(int texel) {
#ifdef FROM_BUFFER
    return x[texel];
#else
    return texelFetch(x, place_of(texel), 0);
#endif
}

void store(int texel, vec4 pair) {
#ifdef TO_BUFFER
    result[texel] = pair;
#else
    imageStore(result, place_of(texel), pair);
#endif
}

vec2 root_at(int index) {
#ifdef TWO_LEVELS
    return times(roots[index & 4095], roots[4096 + (index >> 12)]);
#else
    return roots[index];
#endif
}

void butterflies(const int radix, inout vec4 v[PER]) {
    EACH(radix, b) {
        int o = b * radix;
        if (radix == 2) {
            dft_2(v[o], v[o + 1]);
        }
#if RADIX_1 >= 4
        if (radix == 4) {
            dft_4(v[o], v[o + 1], v[o + 2], v[o + 3]);
        }
#endif
#if RADIX_1 >= 8
        if (radix == 8) {
            dft_8(v[o], v[o + 1], v[o + 2], v[o + 3], v[o + 4], v[o + 5], v[o + 6], v[o + 7]);
        }
#endif
    }
}

void read(out vec4 v[PER]) {
    EACH(RADIX_1, b) {
        ivec2 at = OF_FIRST(b);
#ifdef IN_ROWS
        int column = min(column_of(at.x), columns - 1);
#else
        int column = min(column_of(at.x), columns - 2);
#endif
        int outer = column / across;
        int first = outer * RADIX * across + column - outer * across + at.y * across;
        for (int r = 0; r < RADIX_1; r++) {
            v[b * RADIX_1 + r] = load((first + r * (RADIX / RADIX_1) * across) >> 1) * before.xyxy;
        }
    }
}

// The products after the first step, whose pairs may be of two indices.
void turn_first(inout vec4 v[PER]) {
    EACH(RADIX_1, b) {
        int index = OF_FIRST(b).y;
        for (int m = 1; m < RADIX_1; m++) {
            int root = m * (RADIX / RADIX_1) + index;
#ifdef IN_ROWS
            v[b * RADIX_1 + m] = times_each(v[b * RADIX_1 + m], vec4(steps[root], steps[root + 1]));
#else
            v[b * RADIX_1 + m] = times(v[b * RADIX_1 + m], steps[root]);
#endif
        }
    }
}

// The products after a later step: `before_it` is the product of the radices before, and its roots begin at `roots_at`.
void turn(const int radix, const int before_it, const int roots_at, inout vec4 v[PER]) {
    EACH(radix, b) {
        int p = OF_LATER(radix, b).y / before_it;
        for (int m = 1; m < radix; m++) {
            v[b * radix + m] = times(v[b * radix + m], steps[roots_at + m * (RADIX / radix / before_it) + p]);
        }
    }
}

vec2 part_of(vec4 pair, int part) { return part == 0 ? pair.xz : pair.yw; }

// A step gives its results to the next one. The first one's of a column are beside each other, so that these are the pairs in rows.
void give_first(int part, vec4 v[PER]) {
    EACH(RADIX_1, b) {
        ivec2 at = OF_FIRST(b);
#ifdef OUT_ROWS
#ifdef IN_ROWS
        ivec2 second = ivec2(at.x, (at.y + 1) * RADIX_1);
#else
        ivec2 second = ivec2(at.x + 1, at.y * RADIX_1);
#endif
        for (int m = 0; m < RADIX_1; m += 2) {
            vec2 even = part_of(v[b * RADIX_1 + m], part), odd = part_of(v[b * RADIX_1 + m + 1], part);
            tile[place(ivec2(at.x, at.y * RADIX_1 + m))] = vec2(even.x, odd.x);
            tile[place(second + ivec2(0, m))] = vec2(even.y, odd.y);
        }
#else
        for (int m = 0; m < RADIX_1; m++) {
            tile[place(ivec2(at.x, at.y * RADIX_1 + m))] = part_of(v[b * RADIX_1 + m], part);
        }
#endif
    }
    barrier();
}

void give(const int radix, const int before_it, int part, vec4 v[PER]) {
    EACH(radix, b) {
        ivec2 at = OF_LATER(radix, b);
        int p = at.y / before_it;
        int first = at.y - p * before_it + before_it * radix * p;
        for (int m = 0; m < radix; m++) {
            tile[place(ivec2(at.x, first + before_it * m))] = part_of(v[b * radix + m], part);
        }
    }
    barrier();
}

void take(const int radix, int part, inout vec4 v[PER]) {
    EACH(radix, b) {
        ivec2 at = OF_LATER(radix, b);
        for (int r = 0; r < radix; r++) {
            vec2 taken = tile[place(ivec2(at.x, at.y + r * (RADIX / radix)))];
            if (part == 0) {
                v[b * radix + r].xz = taken;
            } else {
                v[b * radix + r].yw = taken;
            }
        }
    }
    barrier();
}

#if defined(OUT_ROWS) && RADIX_2 == 1
// Of one step: the results of two columns become pairs of each.
void write(vec4 v[PER]) {
    EACH(RADIX, b) {
        int column = column_of(OF_FIRST(b).x);
        int outer = column / across;
        int p = column - outer * across;
        int first = outer * RADIX * across + RADIX * p;
        for (int m = 0; m < RADIX; m += 2) {
            vec4 even = v[b * RADIX + m];
            vec4 odd = v[b * RADIX + m + 1];
#ifdef ROOTS
            even = times_each(even, vec4(root_at(p * done * m), root_at((p + 1) * done * m)));
            odd = times_each(odd, vec4(root_at(p * done * (m + 1)), root_at((p + 1) * done * (m + 1))));
#endif
            if (column < columns) {
                store((first + m) >> 1, vec4(even.xy, odd.xy) * after.xyxy);
                store((first + RADIX + m) >> 1, vec4(even.zw, odd.zw) * after.xyxy);
            }
        }
    }
}
#else
void write(vec4 v[PER]) {
    const int APART = RADIX / RADIX_LAST;
    EACH(RADIX_LAST, b) {
        ivec2 at = OF_LATER(RADIX_LAST, b);
        int column = column_of(at.x);
        int outer = column / across;
        int j = column - outer * across;
        int p = j / block;
        int first = outer * RADIX * across + j - p * block + block * RADIX * p;
        int power = p * done;
#if defined(ROOTS) && defined(OUT_ROWS)
        // Each root is the product of one of the butterfly and of one that those of a column share.
        vec4 near = vec4(root_at(power * at.y), root_at(power * (at.y + 1)));
#endif
        for (int m = 0; m < RADIX_LAST; m++) {
            int index = at.y + m * APART;
            vec4 pair = v[b * RADIX_LAST + m];
#if defined(ROOTS) && defined(OUT_ROWS)
            pair = times_each(pair, times(near, root_at(power * APART * m)));
#elif defined(ROOTS)
            pair = times(pair, root_at(power * index));
#endif
            if (column < columns) {
                store((first + block * index) >> 1, pair * after.xyxy);
            }
        }
    }
}
#endif

void main() {
    vec4 v[PER];
    read(v);
    butterflies(RADIX_1, v);
#if RADIX_2 > 1
    turn_first(v);
    for (int part = 0; part < 2; part++) {
        give_first(part, v);
        take(RADIX_2, part, v);
    }
    butterflies(RADIX_2, v);
#endif
#if RADIX_3 > 1
    turn(RADIX_2, RADIX_1, RADIX, v);
    for (int part = 0; part < 2; part++) {
        give(RADIX_2, RADIX_1, part, v);
        take(RADIX_3, part, v);
    }
    butterflies(RADIX_3, v);
#endif
#if RADIX_4 > 1
    turn(RADIX_3, RADIX_1 * RADIX_2, RADIX + RADIX / RADIX_1, v);
    for (int part = 0; part < 2; part++) {
        give(RADIX_3, RADIX_1 * RADIX_2, part, v);
        take(RADIX_4, part, v);
    }
    butterflies(RADIX_4, v);
#endif
    write(v);
}
