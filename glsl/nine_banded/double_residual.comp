// r = b - A x of a nine-banded matrix in double precision, and its sums (include/double_residual.glsl).
//
// Defines   WINDOW              the sums are of the rows in a window of the grid alone: its first and last column, exclusive, and the same of
//                               its rows
//           CONSTANT or FIELD   what the coefficients are; SINGLE, where stored bands are numbers of 32 bits
// Inputs    coefficients: the bands one after the other, LL LD LU DL DD DU UL UD UU, with n numbers each; or (CONSTANT) one number of each
//           and then the diagonal, in the first row of points, the inner ones and the last, and of each in the first, the inner and the last
//           column; or (FIELD) the coefficient of diffusion at each point, with one more on each side of a row and a row more below and above,
//           from which the bands are computed; or (FIELD and FACES) the coefficients at the faces to the left of points, with one more in each
//           row, and then those at the faces below, with a row more; x; b; m, the numbers of a row of the grid
// Outputs   r; sums
#include "include/double_residual.glsl"
uniform int m;
#ifdef WINDOW
uniform ivec4 window;
bool counts(int i) {
    ivec2 place = ivec2(i % m, i / m);
    return all(greaterThanEqual(place, window.xz)) && all(lessThan(place, window.yw));
}
#else
bool counts(int i) { return true; }
#endif

#ifdef CONSTANT
// 0 for the first of some places, 2 for the last, and 1 for others.
int kind(int place, int of) { return place == 0 ? 0 : place == of - 1 ? 2 : 1; }

double coefficient(int k, int i) {
    ivec2 place = ivec2(i % m, i / m);
    if (k == 4) {
        return coefficients[9 + 3 * kind(place.y, n / m) + kind(place.x, m)];
    }
    int beside = place.x + k % 3 - 1;
    return beside >= 0 && beside < m ? coefficients[k] : double(0.0);
}
#elif defined(FIELD)
#ifdef FACES
// The coefficients between a point and its neighbours below, to the left, to the right and above.
void means(int i, out double below, out double left, out double right, out double above) {
    int place = i + i / m;
    int first = n + n / m;
    below = coefficients[first + i];
    left = coefficients[place];
    right = coefficients[place + 1];
    above = coefficients[first + i + m];
}
#else
double mean(double a, double b) {
    double less = min(a, b);
    return less / (0.5 + 0.5 * (less / max(a, b)));
}

void means(int i, out double below, out double left, out double right, out double above) {
    int wide = m + 2;
    int place = (i / m + 1) * wide + i % m + 1;
    double here = coefficients[place];
    below = mean(here, coefficients[place - wide]);
    left = mean(here, coefficients[place - 1]);
    right = mean(here, coefficients[place + 1]);
    above = mean(here, coefficients[place + wide]);
}
#endif
#else
double coefficient(int k, int i) { return double(coefficients[k * n + i]); }
#endif

#ifdef FIELD
double residual(int i) {
    int column = i % m;
    double below;
    double left;
    double right;
    double above;
    means(i, below, left, right, above);
    double result = b[i];
    if (i >= m) {
        result += below * x[i - m];
    }
    if (column > 0) {
        result += left * x[i - 1];
    }
    result -= (below + left + right + above) * x[i];
    if (column < m - 1) {
        result += right * x[i + 1];
    }
    if (i < n - m) {
        result += above * x[i + m];
    }
    return result;
}
#else
double residual(int i) {
    double result = b[i];
    for (int k = 0; k < 9; k++) {
        int j = i + (k / 3 - 1) * m + k % 3 - 1;
        if (j >= 0 && j < n) {
            result -= coefficient(k, i) * x[j];
        }
    }
    return result;
}
#endif

void main() { all_rows(); }
