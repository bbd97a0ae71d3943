// Where the numbers of a texel of a grid's panel are in a buffer that has the grid's rows without padding.
//
// Inputs    corner      where the texels that the panel owns begin in it
//           owned       how many there are along x and along y
//           origin      where they begin in the whole grid
//           m, n        the numbers of a row, and of all rows: the last one may be shorter
// Provides  is_owned()  whether the panel owns the texel of this invocation
//           PLACE       that texel
//           first()     the index of its first number
//           lanes()     how many it has; the rest is padding
uniform ivec2 corner;
uniform ivec2 owned;
uniform ivec2 origin;
uniform int m;
uniform int n;
#define PLACE (corner + ivec2(gl_GlobalInvocationID.xy))

bool is_owned() { return all(lessThan(ivec2(gl_GlobalInvocationID.xy), owned)); }

int first() {
    ivec2 texel = origin + ivec2(gl_GlobalInvocationID.xy);
    return texel.y * m + 4 * texel.x;
}

int lanes() {
    int column = 4 * (origin.x + int(gl_GlobalInvocationID.x));
    return clamp(min(m - column, n - first()), 0, 4);
}
