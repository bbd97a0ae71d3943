// Random numbers of 32 bits.
//
// Gives   scrambled(x)      one number from another: apply it again for the next
//         below(x, n)       0 to n - 1 from a number; each alike for n up to 65536
//
// Source: the PCG hash of Jarzynski and Olano, "Hash Functions for GPU Rendering" (Journal of
// Computer Graphics Techniques 9(3), 2020).
uint scrambled(uint x) {
    uint state = x * 747796405u + 2891336453u;
    uint word = ((state >> ((state >> 28u) + 4u)) ^ state) * 277803737u;
    return (word >> 22u) ^ word;
}

int below(uint x, int n) {
    return int(((x >> 16u) * uint(n)) >> 16u);
}
