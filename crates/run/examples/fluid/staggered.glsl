// Numbers of a staggered grid (Harlow and Welch 1965) in a box of unit cells. Cell (i, j) has its centre at (i + 1/2, j + 1/2). The
// velocity along an axis is kept in the middle of the sides across that axis, everything else at the centres.
//
// `across` is (1, 0) for the velocity along x, (0, 1) for that along y, and (0, 0) at centres.

// An index and a sign: beyond a wall the flow is its mirror image, in which what goes through the wall changes sign.
ivec2 mirrored(int index, int last, int across)
{
    if (index < 0) {
        return ivec2(across - 1 - index, 1 - 2 * across);
    }
    return index > last ? ivec2(2 * last + 1 - across - index, 1 - 2 * across) : ivec2(index, 1);
}

float at(sampler2D field, ivec2 index, ivec2 across)
{
    ivec2 last = textureSize(field, 0) - 1;
    ivec2 x = mirrored(index.x, last.x, across.x);
    ivec2 y = mirrored(index.y, last.y, across.y);
    return float(x.y * y.y) * READ(field, ivec2(x.x, y.x)).r;
}

// Where a number is in the box.
vec2 place(ivec2 index, ivec2 across)
{
    return vec2(index) + 0.5 * vec2(1 - across);
}

// Linear between numbers.
float linear(sampler2D field, vec2 where, ivec2 across)
{
    vec2 index = where - 0.5 * vec2(1 - across);
    ivec2 low = ivec2(floor(index));
    vec2 part = index - vec2(low);
    float here = mix(at(field, low, across), at(field, low + ivec2(1, 0), across), part.x);
    float above = mix(at(field, low + ivec2(0, 1), across), at(field, low + ivec2(1, 1), across), part.x);
    return mix(here, above, part.y);
}
