// Discs that breathe, each in its tile and at its own time, in the manner of The Book of Shaders (P. Gonzalez Vivo, J. Lowe, 2015,
// chapters "Shaping functions" and "Patterns"), whose uniforms it has.
//
//   quadrille run crates/run/gallery/discs.frag --size 240x160 --uniform u_time=2 --output colour=discs.png

#ifdef GL_ES
precision mediump float;
#endif

uniform vec2 u_resolution;
uniform float u_time;

void main() {
    vec2 st = gl_FragCoord.xy / u_resolution.y;
    vec2 tile = floor(6.0 * st);
    vec2 inside = fract(6.0 * st) - 0.5;

    float radius = 0.3 + 0.15 * sin(u_time + 0.9 * tile.x + 0.6 * tile.y);
    float disc = 1.0 - smoothstep(radius - 0.03, radius + 0.03, length(inside));

    vec3 ground = vec3(0.1, 0.12, 0.2);
    vec3 tint = vec3(0.9, 0.3 + 0.1 * tile.y, 0.25 + 0.07 * tile.x);
    gl_FragColor = vec4(mix(ground, tint, disc), 1.0);
}
