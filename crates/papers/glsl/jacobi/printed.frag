// One Jacobi step as Goeddeke 2005 prints it: the coordinates of the left and the right neighbour by two calls of floor,
// those of the corners above and below them, and X + (B - A X) / DD. It is measured beside the library's own step.
// Defines: INVERSE to multiply by the reciprocal of DD; REARRANGED for (B - the other products) / DD, the library's
// order, in which a reciprocal takes the place of DD.
// Inputs: x; the bands and the right-hand side in three textures (the library's LAYOUT_RED); reciprocal, an additional
// texture (INVERSE without REARRANGED). Output: next.
// Source: Goeddeke 2005, "Mapping the CPU implementation to the GPU".
uniform sampler2D x;
uniform sampler2D bands_a; // LL LD LU DL
uniform sampler2D bands_b; // DD DU UL UD
uniform sampler2D bands_c; // UU B
#if defined(INVERSE) && !defined(REARRANGED)
uniform sampler2D reciprocal;
#endif

out float next;

float at(vec2 coords) { return READ_AT_CLAMPED(x, COORDINATE(x, coords)).r; }

void main() {
    vec2 ocoords = gl_FragCoord.xy;
    float texwidth = float(textureSize(x, 0).x);
    vec2 coords_right = ocoords - 0.5;
    float z = (coords_right.y) * texwidth + (coords_right.x + 1.0);
    coords_right.y = floor(z / texwidth);
    coords_right.x = z - texwidth * coords_right.y;
    coords_right += 0.5;
    vec2 coords_left = ocoords - 0.5;
    z = (coords_left.y) * texwidth + (coords_left.x - 1.0);
    coords_left.y = floor(z / texwidth);
    coords_left.x = z - texwidth * coords_left.y;
    coords_left += 0.5;

    vec4 p = READ(bands_a, TEXEL);
    vec4 q = READ(bands_b, TEXEL);
    vec2 r = READ(bands_c, TEXEL).rg;
    const vec2 row = vec2(0.0, 1.0);
    float here = at(ocoords);
    float others = p.w * at(coords_left) + q.y * at(coords_right);
    others += p.y * at(ocoords - row) + p.x * at(coords_left - row) + p.z * at(coords_right - row);
    others += q.w * at(ocoords + row) + q.z * at(coords_left + row) + r.x * at(coords_right + row);
#if defined(REARRANGED) && defined(INVERSE)
    next = (r.y - others) * q.x;
#elif defined(REARRANGED)
    next = (r.y - others) / q.x;
#elif defined(INVERSE)
    next = here + (r.y - (q.x * here + others)) * READ(reciprocal, TEXEL).r;
#else
    next = here + (r.y - (q.x * here + others)) / q.x;
#endif
}
