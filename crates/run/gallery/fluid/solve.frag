// A repetition of Jacobi's iteration for the pressure (../fluid.run.toml): its Laplacian is the divergence.

uniform sampler2D pressure;
uniform sampler2D divergence;
out float next;

void main() {
    float around = READ_WRAPPED(pressure, TEXEL + ivec2(1, 0)).r + READ_WRAPPED(pressure, TEXEL - ivec2(1, 0)).r
        + READ_WRAPPED(pressure, TEXEL + ivec2(0, 1)).r + READ_WRAPPED(pressure, TEXEL - ivec2(0, 1)).r;
    next = 0.25 * (around - READ(divergence, TEXEL).r);
}
