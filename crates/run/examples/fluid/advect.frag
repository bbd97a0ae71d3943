// Carries a field along with the flow: where the fluid is now, the field becomes what it was where the fluid came from (Stam, "Stable
// fluids", 1999). Paths are traced back by the midpoint rule, and the field is interpolated by cubics between four numbers along each
// axis.
//
// u, v: the velocity, in cells for each step. field: what is carried. ACROSS: where its numbers are. With LIMITED the result
// stays between the four numbers around the place, so that nothing new appears.

#include "staggered.glsl"

uniform sampler2D u;
uniform sampler2D v;
uniform sampler2D field;
out float carried;

vec2 velocity(vec2 where)
{
    return vec2(linear(u, where, ivec2(1, 0)), linear(v, where, ivec2(0, 1)));
}

// Lagrange's cubic through the numbers at -1, 0, 1 and 2.
vec4 weights(float t)
{
    float before = t + 1.0, after = t - 1.0, last = t - 2.0;
    return vec4(-t * after * last / 6.0, before * after * last / 2.0, -before * t * last / 2.0, before * t * after / 6.0);
}

void main()
{
    const ivec2 across = ACROSS;
    vec2 here = place(TEXEL, across);
    vec2 middle = here - 0.5 * velocity(here);
    vec2 origin = here - velocity(middle);
    vec2 box = vec2(textureSize(field, 0) - across);
    vec2 index = clamp(origin, vec2(0.0), box) - 0.5 * vec2(1 - across);
    ivec2 low = ivec2(floor(index));
    vec4 along_x = weights(index.x - float(low.x)), along_y = weights(index.y - float(low.y));
    float least = 3.0e38, most = -3.0e38;
    carried = 0.0;
    for (int j = 0; j < 4; j++) {
        for (int i = 0; i < 4; i++) {
            float number = at(field, low + ivec2(i - 1, j - 1), across);
            carried += along_x[i] * along_y[j] * number;
            if ((i == 1 || i == 2) && (j == 1 || j == 2)) {
                least = min(least, number);
                most = max(most, number);
            }
        }
    }
#ifdef LIMITED
    carried = clamp(carried, least, most);
#endif
}
