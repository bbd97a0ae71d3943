// Conway's Game of Life on a torus: a live cell with two or three live neighbours lives on, a dead
// one with three is born. A cell is alive from 0.5 on, so random numbers are half alive.
//
// J. H. Conway, in M. Gardner, "Mathematical Games", Scientific American 223 (4), 1970.
//
//   quadrille run crates/run/gallery/life.frag --input cells=random:256x192 --iterate 300 \
//       --feedback next=cells --output next=life.png --colours grey

uniform sampler2D cells;
out float next;

int alive(ivec2 place) {
    ivec2 size = textureSize(cells, 0);
    return READ(cells, (place + size) % size).r >= 0.5 ? 1 : 0;
}

void main() {
    int neighbours = -alive(TEXEL);
    for (int y = -1; y <= 1; y++) {
        for (int x = -1; x <= 1; x++) {
            neighbours += alive(TEXEL + ivec2(x, y));
        }
    }
    bool lives = neighbours == 3 || neighbours == 2 && alive(TEXEL) == 1;
    next = lives ? 1.0 : 0.0;
}
