// The texels that a drawn stage of a reduction reads.
//
// Defines   those of include/fold.glsl; WINDOW to fold a rectangle of x and y instead of all their texels
// Inputs    x, and y for MAP_PRODUCT; corner and extent of the window
// Provides  number_at(centre)   what the map makes of the texel with this centre
//           SIZE                the extent that is folded
#include "include/fold.glsl"

uniform sampler2D x;
#ifdef SECOND
uniform sampler2D y;
#endif
#ifdef WINDOW
uniform vec2 corner, extent;
#define SIZE extent
#else
#define SIZE vec2(textureSize(x, 0))
#endif

NUMBER number_at(vec2 centre) {
#ifdef WINDOW
    centre += corner;
#endif
#ifdef SECOND
    return number_of(READ_AT(x, COORDINATE(x, centre)), READ_AT(y, COORDINATE(y, centre)));
#else
    return number_of(READ_AT(x, COORDINATE(x, centre)));
#endif
}
