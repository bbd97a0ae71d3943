// The scan of a panel, given what stands before each row of a strip.
//
// Defines: those of include/scan.glsl, include/strip.glsl and include/scan_prefixes.glsl. Inputs: theirs, and those of
// include/scan_texels.glsl; Before. Output: prefixes.
layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;
#include "include/scan.glsl"
#include "include/scan_texels.glsl"
#include "include/strip.glsl"
#include "include/scan_prefixes.glsl"
#include "include/scan_strip.glsl"
layout(std430, binding = 0) readonly buffer Before { NUMBER before[]; };
layout(binding = 0, FORMAT) uniform writeonly highp IMAGE prefixes;

void main() {
    Item running = ITEM(before[total_place()], false);
    for (int tile = 0; tile < tiles; tile++) {
        load(tile);
        for (int k = 0; k < PER; k++) {
            Item own = before_of(tile, k, running);
            ivec2 place = place_of(tile, k);
            if (!is_beyond(place)) {
                imageStore(prefixes, place, prefixes_of(own, here[k], index_of(place)));
            }
        }
    }
}
