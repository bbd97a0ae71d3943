// Numbers of a fine grid around four points of a coarse one. Along an axis with step 2 the points of odd index are on the coarse
// grid, and with step 1 all.
//
// Requires  band_place()       include/band_place.glsl
// Provides  step_by            2 or 1 along x and y, a uniform
//           fine_size          the extent of the fine grid in texels, a uniform
//           around(image, k, texel, i, j)   of the four points of a coarse texel, the numbers that are i to the right and j above on
//                                           the fine grid; 0 outside. The image has nine numbers for each point, of which k is
//                                           one, or with a k below 0 one number
uniform ivec2 step_by;
uniform ivec2 fine_size;

vec4 fine_texel(sampler2D image, int k, ivec2 place) {
    ivec2 inside = clamp(place, ivec2(0), fine_size - 1);
    vec4 texel = READ(image, k < 0 ? inside : band_place(k, inside, fine_size));
    return inside == place ? texel : vec4(0.0);
}

// Four numbers with a distance of 1 or 2, the first of which is in lane `lane` of a.
vec4 apart(vec4 a, vec4 b, vec4 c, int lane) {
    if (step_by.x == 1) {
        return lane == 0 ? a : lane == 1 ? vec4(a.yzw, b.x) : lane == 2 ? vec4(a.zw, b.xy) : vec4(a.w, b.xyz);
    }
    return lane == 0 ? vec4(a.xz, b.xz)
        : lane == 1 ? vec4(a.yw, b.yw)
        : lane == 2 ? vec4(a.z, b.xz, c.x)
                    : vec4(a.w, b.yw, c.y);
}

vec4 around(sampler2D image, int k, ivec2 texel, int i, int j) {
    ivec2 first = step_by * ivec2(4 * texel.x, texel.y) + step_by - 1 + ivec2(i, j);
    int lane = first.x & 3;
    ivec2 place = ivec2(first.x >> 2, first.y);
    vec4 a = fine_texel(image, k, place);
    vec4 b = fine_texel(image, k, place + ivec2(1, 0));
    vec4 c = vec4(0.0);
    if (step_by.x == 2 && lane >= 2) {
        c = fine_texel(image, k, place + ivec2(2, 0));
    }
    return apart(a, b, c, lane);
}
