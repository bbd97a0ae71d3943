// A step of N bodies that attract each other (../nbody.run.toml): every cell is a body, x, y, z and mass in one texture,
// its velocity in another; each asks all others. Semi-implicit: the velocity first, then the place.
//
// Each cell loops over all bodies: (columns + 1) x rows iterations, which must stay within the loop budget of
// the device (`quadrille doctor`); llvmpipe of Mesa 22.3 ends loops after 65535, and the command reports it.

uniform sampler2D bodies;
uniform sampler2D velocities;
uniform float dt;
uniform float softening;
uniform int iteration;
layout(location = 0) out vec4 next_bodies;
layout(location = 1) out vec3 next_velocities;

vec4 body(ivec2 cell) {
    vec4 there = READ(bodies, cell);
    if (iteration > 0) return there;
    ivec2 size = textureSize(bodies, 0);
    float angle = 6.2831853 * there.x;
    float radius = sqrt(there.y);
    return vec4(radius * cos(angle), radius * sin(angle), 0.1 * (there.z - 0.5), 1.0 / float(size.x * size.y));
}

vec3 velocity(vec4 here) {
    if (iteration > 0) return READ(velocities, TEXEL).rgb;
    // Inside a disc of mass 1 the radius r holds r r of it; half the speed of a circle.
    return 0.5 * vec3(-here.y, here.x, 0.0) / sqrt(max(length(here.xy), 1e-3));
}

void main() {
    vec4 here = body(TEXEL);
    vec3 pull = vec3(0.0);
    ivec2 size = textureSize(bodies, 0);
    for (int y = 0; y < size.y; y++) {
        for (int x = 0; x < size.x; x++) {
            vec4 other = body(ivec2(x, y));
            vec3 way = other.xyz - here.xyz;
            float squared = dot(way, way) + softening * softening;
            pull += other.w / (squared * sqrt(squared)) * way;
        }
    }
    next_velocities = velocity(here) + dt * pull;
    next_bodies = vec4(here.xyz + dt * next_velocities, here.w);
}
