// alpha A x + beta y of a sparse matrix A whose rows are unlike: a work group has a block of rows, and all its invocations share
// the block's entries evenly, however long each row is. It multiplies a tile of entries at a time, in the order of their columns,
// and adds the products up by rows.
//
// Defines: GROUP; PER, the entries of an invocation in a tile, a multiple of 4; KEEPS of include/sparse_result.glsl.
// Inputs: Rows, for each block where its entries begin, its first texel of the result and its texels, and from the element `starts`
// on the first entry of each row and the end of the last; Values and Addresses, four entries in an element; from the element
// `places` of Addresses on the places of the products in their tile, eight in an element; Numbers; count, the blocks; tiles, the
// most that a block has; shift, the exponent of the length of the result's rows; alpha, beta and old (KEEPS).
// Output: the image `result`.
//
// Source: the tiles are those of Greathouse and Daga, "Efficient Sparse Matrix-Vector Multiplication on GPUs Using the CSR Storage
// Format" (2014).
layout(local_size_x = GROUP) in;
layout(std430, binding = 0) readonly buffer Rows { uint rows[]; };
layout(std430, binding = 1) readonly buffer Values { vec4 values[]; };
layout(std430, binding = 2) readonly buffer Addresses { uvec4 addresses[]; };
layout(std430, binding = 3) readonly buffer Numbers { float numbers[]; };
layout(binding = 0, rgba32f) uniform writeonly highp image2D result;
uniform int count, starts, places, tiles, shift;
#ifdef KEEPS
uniform sampler2D old;
#endif
#include "include/sparse_result.glsl"

#define OWN int(gl_LocalInvocationIndex)
#define TILE (GROUP * PER)
// One in 33 is left out, so that invocations whose rows begin a power of two apart read different banks of memory.
#define PLACE(at) ((at) + ((at) >> 5))
shared float products[PLACE(TILE)];
shared float sums[GROUP];

// Multiplies the entries from a four on, as far as the tile and their number reach.
void multiply(int first, int entries) {
    vec4 product[PER / 4];
    uvec4 address[PER / 4], place[PER / 4];
    // All reads of a kind before the first that needs one: as many as possible are under way at a time.
    for (int k = 0; k < PER / 4; k++) {
        int at = first + k * GROUP + OWN;
        if (4 * (k * GROUP + OWN) < entries) {
            address[k] = addresses[at];
            product[k] = values[at];
            place[k] = addresses[places + (at >> 1)];
        }
    }
    for (int k = 0; k < PER / 4; k++) {
        if (4 * (k * GROUP + OWN) < entries) {
            uvec4 from = address[k];
            product[k] *= vec4(numbers[from.x], numbers[from.y], numbers[from.z], numbers[from.w]);
        }
    }
    for (int k = 0; k < PER / 4; k++) {
        if (4 * (k * GROUP + OWN) < entries) {
            uvec2 to = ((first + k * GROUP + OWN) & 1) == 0 ? place[k].xy : place[k].zw;
            products[PLACE(int(to.x & 0xffffu))] = product[k].x;
            products[PLACE(int(to.x >> 16))] = product[k].y;
            products[PLACE(int(to.y & 0xffffu))] = product[k].z;
            products[PLACE(int(to.y >> 16))] = product[k].w;
        }
    }
}

// The sum of every lanes-th of the products in the tile from one up to another.
float sum_of(int at, int end, int lanes) {
    float sum = 0.0;
    for (; at + 3 * lanes < end; at += 4 * lanes) {
        float second = products[PLACE(at + lanes)];
        float third = products[PLACE(at + 2 * lanes)];
        float fourth = products[PLACE(at + 3 * lanes)];
        sum += products[PLACE(at)];
        sum += second;
        sum += third;
        sum += fourth;
    }
    for (; at < end; at += lanes) {
        sum += products[PLACE(at)];
    }
    return sum;
}

void main() {
    int block = int(gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x);
    ivec3 of_block = ivec3(0);
    if (block < count) {
        of_block = ivec3(rows[4 * block], rows[4 * block + 1], rows[4 * block + 2]);
    }
    int texels = of_block.z;
    int top = starts + 4 * of_block.y;
    int start = int(rows[top]);
    int entries = int(rows[top + 4 * texels]) - start;
    // As many invocations add up a row as there are for each.
    int lanes = 1 << findMSB(GROUP / max(4 * texels, 1));
    int row = OWN / lanes;
    int lane = OWN & (lanes - 1);
    ivec2 own = ivec2(0);
    if (row < 4 * texels) {
        own = ivec2(rows[top + row], rows[top + row + 1]) - start;
    }
    float sum = 0.0;
    for (int tile = 0; tile < tiles; tile++) {
        int before = tile * TILE;
        multiply(of_block.x + before / 4, entries - before);
        barrier();
        ivec2 inside = clamp(own - before, 0, TILE);
        sum += sum_of(inside.x + lane, inside.y, lanes);
        barrier();
    }
    sums[OWN] = sum;
    barrier();
    if (lane == 0) {
        for (int other = 1; other < lanes; other++) {
            sum += sums[OWN + other];
        }
        sums[OWN] = sum;
    }
    barrier();
    if (OWN < texels) {
        int texel = of_block.y + OWN;
        ivec2 place = ivec2(texel & ((1 << shift) - 1), texel >> shift);
        int at = 4 * OWN * lanes;
        vec4 four = vec4(sums[at], sums[at + lanes], sums[at + 2 * lanes], sums[at + 3 * lanes]);
        imageStore(result, place, result_of(four, READ(old, place)));
    }
}
