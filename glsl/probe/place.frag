// The column and row of each fragment.
out vec4 place;

void main() {
    place = vec4(vec2(TEXEL), 0.0, 0.0);
}
