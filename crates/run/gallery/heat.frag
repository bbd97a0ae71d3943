// Heat in a plate with insulated edges: an explicit step of the heat equation. A hot disc is held at
// 1 and a cold one at -1.
//
//   next = old + rate * (the four neighbours - 4 old), stable for a rate up to 1/4
//
// J. Fourier, "Theorie analytique de la chaleur", 1822; the step forward in time and centred in
// space as in R. Courant, K. Friedrichs, H. Lewy, Mathematische Annalen 100, 1928.
//
//   quadrille run crates/run/gallery/heat.frag --input old=zeros:240x160 --uniform rate=0.24 --iterate 4000 \
//       --feedback next=old --output next=heat.png --range -1:1

uniform sampler2D old;
uniform float rate;
uniform ivec2 size;
out float next;

float at(ivec2 offset) {
    return READ_CLAMPED(old, TEXEL + offset).r;
}

// How far this cell is from a place, in heights of the plate.
float distance_to(vec2 place) {
    vec2 height = vec2(size.y);
    return distance(gl_FragCoord.xy / height, place * vec2(size) / height);
}

void main() {
    float neighbours = at(ivec2(-1, 0)) + at(ivec2(1, 0)) + at(ivec2(0, -1)) + at(ivec2(0, 1));
    next = at(ivec2(0)) + rate * (neighbours - 4.0 * at(ivec2(0)));
    if (distance_to(vec2(0.25, 0.375)) < 0.125) next = 1.0;
    if (distance_to(vec2(0.75, 0.625)) < 0.125) next = -1.0;
}
