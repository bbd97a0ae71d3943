// What spread.vert read.
flat in NUMBER number;
out NUMBER texel;

void main() {
    texel = number;
}
