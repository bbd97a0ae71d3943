// What stands around expressions of the numbers of vectors.
//
// Requires  inputs.glsl             the vectors, the scalars and the expressions, which the library writes:
//                                   READ_INPUTS(place), VALUES_0 and, for two results, VALUES_1
// Defines   PADDED                  if there is padding among the texels
// Inputs    panel                   the texels of a row, and the numbers
// Provides  kept(place, numbers)    the numbers, and zero in the padding
//           SUM, quotient           the value of a scalar on the device, and the quotient of two (include/scalar.glsl)
#include "include/scalar.glsl"
#include "inputs.glsl"

#ifdef PADDED
uniform ivec2 panel;

vec4 kept(ivec2 place, vec4 numbers) {
    int left = panel.y - 4 * (place.y * panel.x + place.x);
    return mix(vec4(0.0), numbers, lessThan(ivec4(0, 1, 2, 3), ivec4(left)));
}
#else
vec4 kept(ivec2 place, vec4 numbers) { return numbers; }
#endif
