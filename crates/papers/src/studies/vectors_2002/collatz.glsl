// The steps of Collatz's sequence from each element to 1: every element takes turns of its own, and branches in
// each of them.
float steps(float x) {
    float count = 0.0;
    while (x > 1.5) {
        x = mod(x, 2.0) < 0.5 ? x / 2.0 : 3.0 * x + 1.0;
        count += 1.0;
    }
    return count;
}

void program() {
    o[1] = vec4(steps(v[1].x), steps(v[1].y), steps(v[1].z), steps(v[1].w));
}
