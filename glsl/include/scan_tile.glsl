// The part of a vector that a work group scans: `tiles` times GROUP invocations of PER texels in their order.
//
// Requires  include/scan_texels.glsl, include/scan_group.glsl
// Defines   PER, the texels of an invocation
// Inputs    tiles
// Provides  first_of(tile)    the first texel of this invocation
//           total_from(first) its PER texels as one
uniform int tiles;

int first_of(int tile) {
    int group = int(gl_WorkGroupID.x);
    return ((group * tiles + tile) * GROUP + int(gl_LocalInvocationIndex)) * PER;
}

Item total_from(int first) {
    Item total = total_of(items_of(first));
    for (int more = 1; more < PER; more++) {
        total = join(total, total_of(items_of(first + more)));
    }
    return total;
}
