// Three literals from random numbers: the variable from the first digits, its sign from those behind.
uniform sampler2D numbers;
uniform float variables;
out vec3 literals;
void main() {
    vec3 drawn = variables * READ(numbers, TEXEL).xyz;
    vec3 signs = mix(vec3(-1.0), vec3(1.0), greaterThan(fract(drawn), vec3(0.5)));
    literals = signs * (1.0 + floor(drawn));
}
