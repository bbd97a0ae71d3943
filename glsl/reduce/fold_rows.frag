// One stage of a reduction of a large texture by a software renderer: 2 rows of 64 adjacent texels of `x` into one.
//
// Defines: those of include/fold_input.glsl and include/rows.glsl. Inputs: those of include/fold_input.glsl. Output: the fold.
#include "include/fold_input.glsl"

#define RESULT NUMBER
#define NONE NOTHING
#define JOIN(a, b) COMBINE(a, b)
#define result_at(centre) number_at(centre)
#include "include/rows.glsl"

out vec4 folded;

void main() {
    folded = four(of_rows());
}
