// Chains of one built-in function, x = FUNCTION(x + shift), for 4 x 4 numbers that begin apart, 4
// links a trip; what is given back is their mean. The shift grows with each trip, so that one trip
// more or less shows in the result.
// Define: FUNCTION, of vec4; `reciprocal` is 1 / x. Uniforms: shift, growth.
// Source: GPUBench (Stanford), instrissue.
uniform vec4 shift;
uniform vec4 growth;

vec4 reciprocal(vec4 x) { return 1.0 / x; }

#define LINK x0 = FUNCTION(x0 + c); x1 = FUNCTION(x1 + c); x2 = FUNCTION(x2 + c); x3 = FUNCTION(x3 + c);

vec4 opcodes(vec4 start) {
    vec4 x0 = start, x1 = start + 0.25, x2 = start + 0.5, x3 = start + 0.75, c = shift;
    for (int trip = 0; trip < trips; trip++) {
        LINK LINK LINK LINK
        c += growth;
    }
    return 0.25 * ((x0 + x1) + (x2 + x3));
}
