// The Abelian sandpile: a cell with four grains or more gives each neighbour as many as it can; at the edges grains fall
// off. It begins with `grains` in the middle, at iteration 0, and comes to rest in a pattern that does not depend on the order.
//
// P. Bak, C. Tang, K. Wiesenfeld, "Self-organized criticality", Physical Review Letters 59, 1987; D. Dhar,
// "Self-organized critical state of sandpile automaton models", Physical Review Letters 64, 1990.
//
//   quadrille run crates/run/gallery/sandpile.frag --input pile=zeros:121x121 --uniform grains=16000 --iterate 6000 \
//       --feedback next=pile --output colour=sandpile.png

uniform isampler2D pile;
uniform int grains;
uniform int iteration;
layout(location = 0) out int next;
layout(location = 1) out vec3 colour;

int at(ivec2 cell) {
    ivec2 size = textureSize(pile, 0);
    if (any(lessThan(cell, ivec2(0))) || any(greaterThanEqual(cell, size))) return 0;
    int first = iteration == 0 && cell == size / 2 ? grains : 0;
    return READ(pile, cell).r + first;
}

void main() {
    next = at(TEXEL) % 4 + at(TEXEL + ivec2(1, 0)) / 4 + at(TEXEL - ivec2(1, 0)) / 4
        + at(TEXEL + ivec2(0, 1)) / 4 + at(TEXEL - ivec2(0, 1)) / 4;
    vec3 colours[4] = vec3[4](vec3(0.05, 0.07, 0.2), vec3(0.15, 0.4, 0.65), vec3(0.95, 0.8, 0.35), vec3(0.75, 0.2, 0.15));
    colour = next < 4 ? colours[next] : vec3(1.0);
}
