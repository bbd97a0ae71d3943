// A window: a field scaled to a rectangle by nearest texels, row 0 on top, or with `flip` at the bottom; a bar of the map's
// colours; dark grey elsewhere. Texel indices are integer arithmetic, so that every device chooses the same ones.
//
// Defines: FIELD, the field's sampler type; COLOURS if its texels are colours, 0 to UNIT. Otherwise the first channel goes
// through the colour map: `low` is its first texel, `high` its last; numbers outside are clamped, and NaN is red.
// Inputs: field; place, the field's rectangle as x, y, width, height; flip; and for a colour map: scale, a row of texels;
// range, low and high; bar, a rectangle, of no width if there is none. Source: none.
#include "include/nan.glsl"

uniform FIELD field;
uniform ivec4 place;
uniform bool flip;
#ifndef COLOURS
uniform sampler2D scale;
uniform vec2 range;
uniform ivec4 bar;
#endif
out vec4 colour;

const vec4 BACKGROUND = vec4(vec3(26.0 / 255.0), 1.0);
const vec4 NOT_A_NUMBER = vec4(1.0, 0.0, 0.0, 1.0);

bool inside(ivec2 p, ivec4 rectangle) {
    return all(greaterThanEqual(p, rectangle.xy)) && all(lessThan(p, rectangle.xy + rectangle.zw));
}

#ifndef COLOURS
vec4 of_scale(float number) {
    if (is_nan_of(number)) {
        return NOT_A_NUMBER;
    }
    float part = range.y > range.x ? (number - range.x) / (range.y - range.x) : 0.5;
    int last = textureSize(scale, 0).x - 1;
    return READ(scale, ivec2(int(clamp(part, 0.0, 1.0) * float(last) + 0.5), 0));
}
#endif

void main() {
    ivec2 p = TEXEL;
    colour = BACKGROUND;
    if (inside(p, place)) {
        ivec2 size = textureSize(field, 0), texel = (p - place.xy) * size / place.zw;
        texel.y = flip ? size.y - 1 - texel.y : texel.y;
#ifdef COLOURS
        colour = vec4(clamp(vec3(READ(field, texel).rgb) / UNIT, 0.0, 1.0), 1.0);
    }
#else
        colour = of_scale(READ(field, texel).r);
    } else if (inside(p, bar)) {
        int last = textureSize(scale, 0).x - 1;
        colour = READ(scale, ivec2((p.x - bar.x) * last / max(bar.z - 1, 1), 0));
    }
#endif
}
