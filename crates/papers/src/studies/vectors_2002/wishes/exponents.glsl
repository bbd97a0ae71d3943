// x^50 by 49 multiplications, as crates/vector-machine/programs/exponents.vp.
void program() {
    o[1] = v[1];
    for (int i = 1; i < 50; ++i) {
        o[1] *= v[1];
    }
}
