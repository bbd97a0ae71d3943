// The seeds of ../voronoi.run.toml: the few cells with the greatest numbers know their own place, the others none.

uniform sampler2D noise;
out ivec2 own;

void main() {
    own = READ(noise, TEXEL).r > 0.998 ? TEXEL : ivec2(-1);
}
