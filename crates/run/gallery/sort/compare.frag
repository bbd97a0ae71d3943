// A repetition of the bitonic sort of each column (../sort.run.toml). Run 0 is one comparison at distance 1, run 1 two at distances
// 2 and 1, run 2 three, and so on: the repetition says which. A cell keeps the lesser or the greater of itself and its partner.

uniform sampler2D numbers;
uniform int repetition;
out float next;

void main() {
    int run = 0, left = repetition;
    while (left > run) left -= ++run;
    int apart = 1 << (run - left);
    int partner = TEXEL.y ^ apart;
    float here = READ(numbers, TEXEL).r, there = READ(numbers, ivec2(TEXEL.x, partner)).r;
    bool ascends = (TEXEL.y & (2 << run)) == 0;
    next = (partner > TEXEL.y) == ascends ? min(here, there) : max(here, there);
}
