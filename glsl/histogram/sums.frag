// The sum of the weights of each bin: what their scan by bins has at the last number of the bin.
// Inputs: those of include/sorted_bins.glsl; scanned, the scan; range, the first bin of the target and the one behind its last; shift_of_target. Output: sums, with zeros in the padding.
#include "include/sorted_bins.glsl"
uniform sampler2D scanned;
uniform uvec2 range;
uniform int shift_of_target;
out vec4 sums;

void main() {
    vec4 four = vec4(0.0);
    uint bin = range.x + 4u * uint((TEXEL.y << shift_of_target) + TEXEL.x);
    if (bin < range.y) {
        int from = first_from(bin);
        for (int lane = 0; lane < 4 && bin < range.y; lane++, bin++) {
            int next = first_from(bin + 1u);
            if (next > from) {
                four[lane] = READ(scanned, place_of(next - 1))[(next - 1) & 3];
            }
            from = next;
        }
    }
    sums = four;
}
