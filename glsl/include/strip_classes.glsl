// The texels of a tile with the classes of their numbers.
//
// Requires  include/classes.glsl, include/strip.glsl
// Provides  here[PER], classes_here[PER]   the texels of this invocation and their classes, NO_CLASS outside the panel
//           load(tile)                     reads them
//           kept_in(classes)               how many of four numbers are of class 0
FOUR here[PER];
uvec4 classes_here[PER];

void load(int tile) {
    for (int k = 0; k < PER; k++) {
        ivec2 place = place_of(tile, k);
        here[k] = FOUR(0);
        if (!is_beyond(place) && 4 * index_of(place) < length_of_panel) {
            here[k] = READ(numbers, place);
        }
    }
    for (int k = 0; k < PER; k++) {
        ivec2 place = place_of(tile, k);
        classes_here[k] = uvec4(NO_CLASS);
        if (!is_beyond(place)) {
            classes_here[k] = classes_of(here[k], index_of(place));
        }
    }
}

uint kept_in(uvec4 classes) {
    return uint(classes.x == 0u) + uint(classes.y == 0u) + uint(classes.z == 0u) + uint(classes.w == 0u);
}
