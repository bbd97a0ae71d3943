// One number of each texel as a float: the first channel of a texture of any class, to be shown by
// a scale.
//
// Defines: FIELD, the sampler's type. Inputs: field. Source: none; an assignment.
uniform FIELD field;
out float number;

void main() {
    number = float(READ(field, TEXEL).r);
}
