// Rows of four unknowns in a texel at the ends of rows. The last texel of a row may be partly empty: its last unknown
// is in lane `last`, and the lanes after it must not be read.
//
// Requires  Row (include/nine_bands.glsl), uniform int last
// Provides  row_of_lanes()   left, here and right, where `left` or `right` may have wrapped

Row row_of_lanes(vec4 left, vec4 here, vec4 right, bool wraps_left, bool wraps_right) {
    float from_left = wraps_left ? left[last] : left.w;
    vec4 from_right = vec4(here.yzw, right.x);
    if (wraps_right) {
        ivec4 lanes = ivec4(0, 1, 2, 3);
        // A product with zero would not do: 0 * infinity is NaN.
        from_right = mix(from_right, vec4(right.x), equal(lanes, ivec4(last)));
        from_right = mix(from_right, vec4(0.0), greaterThan(lanes, ivec4(last)));
    }
    return Row(vec4(from_left, here.xyz), here, from_right);
}
