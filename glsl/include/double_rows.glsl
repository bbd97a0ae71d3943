// Where the numbers of a texel of a grid's panel are in a buffer that has the grid's rows without padding.
//
// Inputs    corner      where the texels that the panel owns begin in it
//           owned       how many there are along x and along y
//           origin      where they begin in the whole grid
//           m, n        the numbers of a row, and of all rows: the last one may be shorter
//           stack       the rows of a stack, where the grid is in several side by side
// Provides  is_owned()  whether the panel owns the texel of this invocation
//           PLACE       that texel
//           first()     the index of its first number
//           lanes()     how many it has; the rest is padding
uniform ivec2 corner;
uniform ivec2 owned;
uniform ivec2 origin;
uniform int m;
uniform int n;
uniform int stack;
#define PLACE (corner + ivec2(gl_GlobalInvocationID.xy))

bool is_owned() { return all(lessThan(ivec2(gl_GlobalInvocationID.xy), owned)); }

// The column and the row of the first number.
ivec2 place() {
    ivec2 texel = origin + ivec2(gl_GlobalInvocationID.xy);
    int across = (m + 3) / 4;
    int before = texel.x / across;
    return ivec2(4 * (texel.x - before * across), texel.y + before * stack);
}

int first() { return place().y * m + place().x; }

int lanes() { return clamp(min(m - place().x, n - first()), 0, 4); }
