// The first channel of each texel as a float, of a texture of any class.
//
// Defines: FIELD, the sampler's type. Inputs: field. Source: none; an assignment.
uniform FIELD field;
out float number;

void main() {
    number = float(READ(field, TEXEL).r);
}
