// Calls for each neighbour that a point of a three-dimensional grid is coupled to: written out, so that steps are constants, since a
// software renderer keeps loops and takes both ways of a branch in them.
//
// Requires  visit(i, j, l, place)   what is done for the neighbour (i, j, l) of the four points at a place
// Defines   STAR                    points are coupled along the axes alone
// Provides  visit_all(place)
#ifdef STAR
void visit_line(int j, int l, ivec3 place) { visit(0, j, l, place); }
#else
void visit_line(int j, int l, ivec3 place) {
    visit(-1, j, l, place);
    visit(0, j, l, place);
    visit(1, j, l, place);
}
#endif

void visit_all(ivec3 place) {
    visit(-1, 0, 0, place);
    visit(1, 0, 0, place);
    visit_line(-1, 0, place);
    visit_line(1, 0, place);
    visit_line(0, -1, place);
    visit_line(0, 1, place);
#ifndef STAR
    visit_line(-1, -1, place);
    visit_line(1, -1, place);
    visit_line(-1, 1, place);
    visit_line(1, 1, place);
#endif
}
