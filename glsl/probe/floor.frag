// 1 where the floor formula of include/wrap.glsl and integer arithmetic disagree about the left or the right neighbour
// of a texel, 0 elsewhere. Input: the texture's width.
#include "include/wrap.glsl"
uniform int width;
out float wrong;

ivec2 by_integers(int i) {
    // Rounds towards minus infinity, as floor does: the first texel's left neighbour is in row -1.
    int row = i < 0 ? -1 : i / width;
    return ivec2(i - row * width, row);
}

void main() {
    ivec2 here = TEXEL;
    int i = here.y * width + here.x;
    bool right = by_integers(i + 1) == wrap_by_floor(here, 1, float(width));
    bool left = by_integers(i - 1) == wrap_by_floor(here, -1, float(width));
    wrong = left && right ? 0.0 : 1.0;
}
