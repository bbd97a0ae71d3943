// The value 1: with additive blending it counts how often each texel is covered.
out float count;

void main() {
    count = 1.0;
}
