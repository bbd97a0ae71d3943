// Waves of drops that fell into a square pond which goes on beyond its edges (a torus): the wave equation by the
// leapfrog scheme, of second order. `state` has the height now and a step ago; `speed` is in cells a step, and stays
// below 1 / sqrt(2).
//
// R. Courant, K. Friedrichs, H. Lewy, "Über die partiellen Differenzengleichungen der mathematischen Physik",
// Mathematische Annalen 100, 1928.
//
//   quadrille run crates/run/gallery/wave.frag --input state=zeros:192x192x2 --uniform speed=0.5 --iterate 190 \
//       --feedback next=state --output height=wave.png --range=-0.25:0.25

uniform sampler2D state;
uniform float speed;
uniform int iteration;
layout(location = 0) out vec2 next;
layout(location = 1) out float height;

float drop(vec2 place) {
    vec2 way = (vec2(TEXEL) + 0.5) / vec2(textureSize(state, 0)) - place;
    return exp(-dot(way, way) / 0.0008);
}

void main() {
    vec2 here = READ(state, TEXEL).rg;
    if (iteration == 0) here += drop(vec2(0.3, 0.35)) - 0.7 * drop(vec2(0.7, 0.6));
    float around = 0.0;
    if (iteration > 0) {
        around += READ_WRAPPED(state, TEXEL + ivec2(1, 0)).r + READ_WRAPPED(state, TEXEL - ivec2(1, 0)).r;
        around += READ_WRAPPED(state, TEXEL + ivec2(0, 1)).r + READ_WRAPPED(state, TEXEL - ivec2(0, 1)).r;
        around -= 4.0 * here.r;
    }
    next = vec2(2.0 * here.r - here.g + speed * speed * around, here.r);
    height = next.r;
}
