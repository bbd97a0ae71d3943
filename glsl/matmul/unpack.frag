// Unpacks a matrix of one element in a texel from cells in one texture, or interleaved over the four or eight targets
// of a pass.
// Defines: NUMBER and SAMPLER, float and sampler2D, or int and isampler2D; INTEGER for int; DOWN and ACROSS, rows and
// columns of a cell; PARTS_DOWN and PARTS_ACROSS, the interleaved textures down and across.
// Inputs: part_0 and, for several textures, part_1 and so on. Output: the elements.
#define PARTS (PARTS_DOWN * PARTS_ACROSS)

uniform SAMPLER part_0;
#if PARTS > 1
uniform SAMPLER part_1;
uniform SAMPLER part_2;
uniform SAMPLER part_3;
#endif
#if PARTS > 4
uniform SAMPLER part_4;
uniform SAMPLER part_5;
uniform SAMPLER part_6;
uniform SAMPLER part_7;
#endif

#ifdef INTEGER
layout(location = 0) out int whole;
#else
layout(location = 0) out float element;
#endif

#define FROM(part) READ(part, texel)[lane]

NUMBER number_in(int part, ivec2 texel, int lane) {
#if PARTS > 1
    switch (part) {
    case 1: return FROM(part_1);
    case 2: return FROM(part_2);
    case 3: return FROM(part_3);
#if PARTS > 4
    case 4: return FROM(part_4);
    case 5: return FROM(part_5);
    case 6: return FROM(part_6);
    case 7: return FROM(part_7);
#endif
    }
#endif
    return FROM(part_0);
}

void main() {
    ivec2 sides = ivec2(ACROSS, DOWN);
    ivec2 parts = ivec2(PARTS_ACROSS, PARTS_DOWN);
    ivec2 cell = TEXEL / sides;
    ivec2 inside = TEXEL % sides;
    ivec2 turn = cell % parts;
    int part = turn.y * PARTS_ACROSS + turn.x;
    int lane = inside.y * ACROSS + inside.x;
    NUMBER number = number_in(part, cell / parts, lane);
#ifdef INTEGER
    whole = number;
#else
    element = number;
#endif
}
