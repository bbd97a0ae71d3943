// saxpy: a fragment computes one number of y + alpha x.
uniform sampler2D x;
uniform sampler2D y;
uniform float alpha;
out float next;

void main() {
    next = READ(y, TEXEL).r + alpha * READ(x, TEXEL).r;
}
