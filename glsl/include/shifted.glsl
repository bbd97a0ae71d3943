// Numbers of points along a line of the grid.
//
// Provides  shifted(image, by)   of the four points of this texel, the numbers of those that are `by` further along x or y: powers
//                                of two of either sign, one of them 0. A point that is not on the grid has any number of it
vec4 shifted(sampler2D image, ivec2 by) {
    if (abs(by.x) == 1 || abs(by.x) == 2) {
        vec4 here = READ(image, TEXEL);
        vec4 next = READ_CLAMPED(image, TEXEL + ivec2(sign(by.x), 0));
        return by.x == 1 ? vec4(here.yzw, next.x)
            : by.x == 2 ? vec4(here.zw, next.xy)
            : by.x == -1 ? vec4(next.w, here.xyz)
                         : vec4(next.zw, here.xy);
    }
    return READ_CLAMPED(image, TEXEL + ivec2(by.x / 4, by.y));
}
