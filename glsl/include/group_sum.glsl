// The sum of a texel of each invocation of a work group, in a texel of the image `sums` for each group. The order is the same in
// every run.
//
// Requires  an image `sums`; GROUP_X, GROUP_Y, the invocations of a group along x and y
// Provides  add_up(numbers)   to be called by every invocation
shared vec4 parts[GROUP_X * GROUP_Y];

void add_up(vec4 numbers) {
    uint own = gl_LocalInvocationIndex;
    parts[own] = numbers;
    barrier();
    // Eight parts at a time: each barrier costs more than the additions between two.
    for (uint count = uint(GROUP_X * GROUP_Y); count > 1u;) {
        uint left = (count + 7u) / 8u;
        if (own < left) {
            for (uint other = own + left; other < count; other += left) {
                parts[own] += parts[other];
            }
        }
        barrier();
        count = left;
    }
    if (own == 0u) {
        imageStore(sums, ivec2(gl_WorkGroupID.xy), parts[0]);
    }
}
