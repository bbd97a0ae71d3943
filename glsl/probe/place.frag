// Where each fragment believes to be: its column and row.
out vec4 place;

void main() {
    place = vec4(vec2(TEXEL), 0.0, 0.0);
}
