// The scan of a vector, given what stands before the part of each work group.
//
// Defines: those of include/scan.glsl and include/scan_prefixes.glsl; GROUP, PER. Inputs: those of include/scan_texels.glsl,
// include/scan_tile.glsl and include/scan_prefixes.glsl; Before. Output: prefixes.
layout(local_size_x = GROUP) in;
#include "include/scan.glsl"
#include "include/scan_texels.glsl"
#include "include/scan_prefixes.glsl"
#include "include/scan_group.glsl"
#include "include/scan_tile.glsl"
layout(std430, binding = 0) readonly buffer Before { NUMBER before[]; };
layout(binding = 0, FORMAT) uniform writeonly highp IMAGE prefixes;

void main() {
    Item running = ITEM(before[gl_WorkGroupID.x], false);
    for (int tile = 0; tile < tiles; tile++) {
        int first = first_of(tile);
        Item of_group;
        Item own = join(running, scan_of_group(total_from(first), of_group));
        for (int index = first; index < min(first + PER, texels); index++) {
            Items items = items_of(index);
            imageStore(prefixes, place_of(index), prefixes_of(own, items, index));
            own = join(own, total_of(items));
        }
        running = join(running, of_group);
    }
}
