// Numbers of a fine grid around four points of a coarse one. Along an axis with step 2 the points of odd index are on the coarse
// grid, and with step 1 all.
//
// Requires  band_place()       include/band_place.glsl
// Defines   STEP_X, STEP_Y     2 or 1. Drivers then know which texels several numbers come from, and read each of them once
// Provides  fine_size          the extent of the fine grid in texels, a uniform
//           around(image, k, i, j)   of the four points of TEXEL, the numbers that are i to the right and j above on the fine grid, with
//                                    i from -2 to 2; 0 outside. The image has nine numbers for each point, of which k is one, or with
//                                    a k below 0 one number
uniform ivec2 fine_size;

vec4 fine_texel(sampler2D image, int k, ivec2 place) {
    ivec2 inside = clamp(place, ivec2(0), fine_size - 1);
    vec4 texel = READ(image, k < 0 ? inside : band_place(k, inside, fine_size));
    return inside == place ? texel : vec4(0.0);
}

vec4 around(sampler2D image, int k, int i, int j) {
    // The first of the four, as a lane of this texel.
    int first = STEP_X - 1 + i;
    int lane = first & 3;
    ivec2 place = ivec2(STEP_X * TEXEL.x + (first >> 2), STEP_Y * TEXEL.y + STEP_Y - 1 + j);
    vec4 a = fine_texel(image, k, place);
#if STEP_X == 1
    if (lane == 0) {
        return a;
    }
    vec4 b = fine_texel(image, k, place + ivec2(1, 0));
    return lane == 1 ? vec4(a.yzw, b.x) : lane == 2 ? vec4(a.zw, b.xy) : vec4(a.w, b.xyz);
#else
    vec4 b = fine_texel(image, k, place + ivec2(1, 0));
    if (lane < 2) {
        return lane == 0 ? vec4(a.xz, b.xz) : vec4(a.yw, b.yw);
    }
    vec4 c = fine_texel(image, k, place + ivec2(2, 0));
    return lane == 2 ? vec4(a.z, b.xz, c.x) : vec4(a.w, b.yw, c.y);
#endif
}
