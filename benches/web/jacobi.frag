// A step of Jacobi's iteration for nine bands: x + (b - A x) / d. Bands are packed four to a texel: those of the row above and the left
// neighbour in `upper`, those of the right neighbour and the row below in `lower`, the diagonal and b in `middle`.
uniform sampler2D x;
uniform sampler2D upper;
uniform sampler2D lower;
uniform sampler2D middle;
out float next;

float at(int i, int j) {
    return READ_CLAMPED(x, TEXEL + ivec2(i, j)).r;
}

void main() {
    float old = at(0, 0);
    vec2 own = READ(middle, TEXEL).rg;
    float sum = own.r * old;
    sum += dot(READ(upper, TEXEL), vec4(at(-1, -1), at(0, -1), at(1, -1), at(-1, 0)));
    sum += dot(READ(lower, TEXEL), vec4(at(1, 0), at(-1, 1), at(0, 1), at(1, 1)));
    next = old + (own.g - sum) / own.r;
}
