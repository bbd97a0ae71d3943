// r = b - A x on a three-dimensional grid in double precision, and its sums (include/double_residual.glsl).
//
// Defines   KINDS     couplings depend on the kind of a point alone (include/kinds.glsl), else a number is stored for each point; SINGLE, where
//                     those are numbers of 32 bits
//           STAR      as in include/star.glsl; WRAPS_X, WRAPS_Y, WRAPS_Z as in include/grid3.glsl
//           WINDOW    the sums are of the rows in some lines of points alone: the first one, and the one behind the last
// Inputs    coefficients: the couplings that are stored, each with n numbers; or (KINDS) 27 for each kind, and border, how many kinds are at
//           each end of an axis; x; b; points, of the grid along x, y and z
// Outputs   r; sums
#include "include/double_residual.glsl"
#include "include/star.glsl"
uniform ivec3 points;

#ifdef WRAPS_X
const bool WRAPS_ALONG_X = true;
#else
const bool WRAPS_ALONG_X = false;
#endif
#ifdef WRAPS_Y
const bool WRAPS_ALONG_Y = true;
#else
const bool WRAPS_ALONG_Y = false;
#endif
#ifdef WRAPS_Z
const bool WRAPS_ALONG_Z = true;
#else
const bool WRAPS_ALONG_Z = false;
#endif

#ifdef KINDS
uniform int border;

int kind_along(int place, int of, bool wraps) {
    int last = place >= of - border ? place + 2 * border + 1 - of : border;
    return wraps ? border : place < border ? place : last;
}

// Where the couplings of a point begin.
int first_of(int i, ivec3 place) {
    int across = 2 * border + 1;
    int line = across * kind_along(place.z, points.z, WRAPS_ALONG_Z) + kind_along(place.y, points.y, WRAPS_ALONG_Y);
    return 27 * (across * line + kind_along(place.x, points.x, WRAPS_ALONG_X));
}

double coupling(int k, int first) { return coefficients[first + k]; }
#else
int first_of(int i, ivec3 place) { return i; }

double coupling(int k, int first) { return double(coefficients[SLOT(k) * n + first]); }
#endif

int beside(int place, int of, bool wraps) { return !wraps ? place : place < 0 ? place + of : place >= of ? place - of : place; }

#ifdef WINDOW
uniform ivec2 window;
bool counts(int i) { return i / points.x >= window.x && i / points.x < window.y; }
#else
bool counts(int i) { return true; }
#endif

double residual(int i) {
    int line = i / points.x;
    ivec3 place = ivec3(i - line * points.x, line % points.y, line / points.y);
    int first = first_of(i, place);
    double result = b[i];
    for (int k = 0; k < 27; k++) {
        ivec3 by = ivec3(k % 3, k / 3 % 3, k / 9) - 1;
        if (!IS_COUPLED(by.x, by.y, by.z)) {
            continue;
        }
        ivec3 to = place + by;
        to = ivec3(beside(to.x, points.x, WRAPS_ALONG_X), beside(to.y, points.y, WRAPS_ALONG_Y), beside(to.z, points.z, WRAPS_ALONG_Z));
        if (all(greaterThanEqual(to, ivec3(0))) && all(lessThan(to, points))) {
            result -= coupling(k, first) * x[(to.z * points.y + to.y) * points.x + to.x];
        }
    }
    return result;
}

void main() { all_rows(); }
