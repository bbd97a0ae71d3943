// Two substances that spread and react: u is fed, v eats it (u + 2 v -> 3 v) and is removed. What
// grows from a few spots of v depends on the two rates. It begins, at iteration 0, with u = 1 and
// with spots of v where random numbers fall high; a second output is the picture.
//
// P. Gray, S. K. Scott, Chemical Engineering Science 38, 1983; the patterns as in J. E. Pearson,
// "Complex Patterns in a Simple System", Science 261, 1993.
//
//   quadrille run crates/run/gallery/reaction_diffusion.frag --input state=random:192x144x2 \
//       --uniform feed=0.029 --uniform removal=0.057 --iterate 4000 --feedback next=state \
//       --output colour=reaction_diffusion.png

uniform sampler2D state;
uniform float feed;
uniform float removal;
uniform int iteration;
layout(location = 0) out vec2 next;
layout(location = 1) out vec3 colour;

const vec2 SPREADING = vec2(0.16, 0.08);
const int SPOT = 8;

vec2 at(ivec2 offset) {
    ivec2 size = textureSize(state, 0);
    ivec2 place = (TEXEL + offset + size) % size;
    if (iteration > 0) return READ(state, place).rg;
    bool spot = READ(state, place / SPOT * SPOT).r > 0.9;
    return spot ? vec2(0.5, 0.25) : vec2(1.0, 0.0);
}

void main() {
    vec2 here = at(ivec2(0));
    vec2 around = at(ivec2(-1, 0)) + at(ivec2(1, 0)) + at(ivec2(0, -1)) + at(ivec2(0, 1)) - 4.0 * here;
    float reaction = here.x * here.y * here.y;
    vec2 change = vec2(feed * (1.0 - here.x) - reaction, reaction - (feed + removal) * here.y);
    next = here + SPREADING * around + change;
    colour = mix(vec3(0.97, 0.95, 0.88), vec3(0.04, 0.16, 0.36), smoothstep(0.05, 0.3, next.y));
}
