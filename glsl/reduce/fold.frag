// One stage of a reduction: FOLD_X x FOLD_Y texels of `x` into one.
//
// The texels that fold into one are `stride` apart, the extent of the target, and not adjacent: so adjacent fragments
// read adjacent texels at every step, which suits caches and coalesced memory (docs/measured.md). Rows are combined
// first, so that the longest chain of roundings is FOLD_X + FOLD_Y - 2 and not their product.
//
// Defines: FOLD_X, FOLD_Y; those of include/fold_input.glsl; RAGGED if the edge of `x` may cut the block.
// Inputs: those of include/fold_input.glsl; stride. Output: the fold.
// Source: Horn, "Stream Reduction Operations for GPGPU Applications" (GPU Gems 2, 2005), with the strided access above.
#include "include/fold_input.glsl"

uniform vec2 stride;
out vec4 folded;

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
    vec2 size = SIZE;
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
