// The numbers that transforms read: row by row, in rows of a power of two.
//
// Inputs    x, numbers, four real ones or two complex ones in a texel, and shift, the exponent of its rows' length, which is the
//           target's too in some kernels; roots, a table of complex numbers, and shift_of_roots
// Provides  texel_at(index), complex_at(index), real_at(index), entry_at(index) of the table
uniform sampler2D x;
uniform sampler2D roots;
uniform int shift, shift_of_roots;

vec4 texel_at(int index) { return READ(x, ivec2(index & ((1 << shift) - 1), index >> shift)); }

vec2 complex_at(int index) {
    vec4 two = texel_at(index >> 1);
    return (index & 1) == 0 ? two.xy : two.zw;
}

float real_at(int index) { return texel_at(index >> 2)[index & 3]; }

vec2 entry_at(int index) { return READ(roots, ivec2(index & ((1 << shift_of_roots) - 1), index >> shift_of_roots)).xy; }
