// A whole window: a field enlarged or made smaller in a rectangle, nearest texel, row 0 on top; a
// bar of the scale's colours; a dark grey elsewhere. Texels are found by integers, so that the same
// one is chosen on every device.
//
// Defines: FIELD, the sampler's type of the field; COLOURS where its texels are colours, 0 to UNIT,
// else its first channel is shown by the scale: `low` is at its first texel, `high` at its last,
// what lies outside as its ends, NaN red.
// Inputs: field; place, the field's rectangle as x, y, width, height; and by scale: scale, a row of
// texels; range, low and high; bar, a rectangle, or one of no width. Source: none.
uniform FIELD field;
uniform ivec4 place;
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
    if (number != number) {
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
        ivec2 texel = (p - place.xy) * textureSize(field, 0) / place.zw;
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
