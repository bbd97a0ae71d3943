// One texel for each clause: 1 where the assignment satisfies it, else 0.
uniform sampler2D clauses;     // three literals, v or -v; 0 behind the last clause
uniform sampler2D assignment;  // a row of variables, from 1 on: 1 is true
out float satisfied;
void main() {
    vec3 literals = READ(clauses, TEXEL).xyz;
    satisfied = 0.0;
    for (int i = 0; i < 3; i++) {
        int variable = int(abs(literals[i]));
        if (variable == 0) continue;
        bool value = READ(assignment, ivec2(variable - 1, 0)).x > 0.5;
        if (value == (literals[i] > 0.0)) satisfied = 1.0;
    }
}
