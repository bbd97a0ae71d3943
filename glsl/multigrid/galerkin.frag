// Four of the nine bands of the coarse grid's matrix R A P at four points of the coarse grid: those to the right and above, which are
// all that a symmetric matrix needs, or those to the left and below.
//
// Each number of a row of R A is computed once and goes to the columns whose interpolation has it.
//
// Inputs    the coefficients of the fine grid (include/coefficients.glsl); diagonal, of the matrix;
//           r and p, the weights of restriction and interpolation, nine texels for each texel of the coarse grid, of which the
//           middle one counts as 1; fine_size, coarse_size
// Defines   BELOW, the bands to the left and below; those of include/fine_numbers.glsl, include/band_place.glsl and include/each_texel.glsl
// Output    the bands of the neighbours right, upper left, above, upper right; or left, lower right, below, lower left
// Source: Dendy, "Black box multigrid" (1982).
#define TARGETS 4
uniform sampler2D diagonal;
uniform sampler2D r;
uniform sampler2D p;
uniform ivec2 coarse_size;
#include "include/each_texel.glsl"
#include "include/band_place.glsl"
#include "include/coefficients.glsl"
#include "include/fine_numbers.glsl"
#include "include/fine_coefficients.glsl"

#ifdef BELOW
const int SIDE = -1;
#else
const int SIDE = 1;
#endif

vec4 beside, across, above, diagonally;

// The coupling of the points that are (i, j) away from the four to their neighbours (k, l).
vec4 coupling(int i, int j, int k, int l) {
    return k == 0 && l == 0 ? around(diagonal, -1, i, j) : coefficients_around(place_of(k, l), i, j);
}

vec4 weight_here(int i, int j) {
    return i == 0 && j == 0 ? vec4(1.0) : READ(r, band_place(place_of(i, j), TEXEL, coarse_size));
}

// The number of the row of R A for the fine points that are (x, y) away from the four.
vec4 number(int x, int y) {
    vec4 sum = vec4(0.0);
    for (int j = max(y - 1, 1 - STEP_Y); j <= min(y + 1, STEP_Y - 1); ++j) {
        for (int i = max(x - 1, 1 - STEP_X); i <= min(x + 1, STEP_X - 1); ++i) {
            sum += weight_here(i, j) * coupling(i, j, x - i, y - j);
        }
    }
    return sum;
}

// The weights of the coarse points that are (x, y) away, at the fine points that are (i, j) away from those.
vec4 weight_there(int x, int y, int i, int j) {
    ivec2 place = TEXEL + ivec2(0, y);
    if (place.y < 0 || place.y >= coarse_size.y) {
        return vec4(0.0);
    }
    if (i == 0 && j == 0) {
        return vec4(1.0);
    }
    int k = place_of(i, j);
    vec4 here = READ(p, band_place(k, place, coarse_size));
    if (x == 0) {
        return here;
    }
    ivec2 next = place + ivec2(x, 0);
    ivec2 inside = clamp(next, ivec2(0), coarse_size - 1);
    vec4 texel = READ(p, band_place(k, inside, coarse_size));
    texel = inside == next ? texel : vec4(0.0);
    return x < 0 ? vec4(texel.w, here.xyz) : vec4(here.yzw, texel.x);
}

// What a number for the fine points (x, y) gives to the column of the coarse points (to_x, to_y).
vec4 part(vec4 of_row, int x, int y, int to_x, int to_y) {
    int i = x - STEP_X * to_x;
    int j = y - STEP_Y * to_y;
    return abs(i) < STEP_X && abs(j) < STEP_Y ? of_row * weight_there(to_x, to_y, i, j) : vec4(0.0);
}

void visit(int x, int y) {
    if (abs(x) <= STEP_X && abs(y) <= STEP_Y) {
        vec4 of_row = number(x, y);
        beside += part(of_row, x, y, SIDE, 0);
        across += part(of_row, x, y, -SIDE, SIDE);
        above += part(of_row, x, y, 0, SIDE);
        diagonally += part(of_row, x, y, SIDE, SIDE);
    }
}

// Written out: with places that are constants a driver finds the texels that several numbers read.
void four_bands() {
    beside = across = above = diagonally = vec4(0.0);
    visit(SIDE, -SIDE);
    visit(2 * SIDE, -SIDE);
    visit(SIDE, 0);
    visit(2 * SIDE, 0);
    visit(-2, SIDE);
    visit(-1, SIDE);
    visit(0, SIDE);
    visit(1, SIDE);
    visit(2, SIDE);
    visit(-2, 2 * SIDE);
    visit(-1, 2 * SIDE);
    visit(0, 2 * SIDE);
    visit(1, 2 * SIDE);
    visit(2, 2 * SIDE);
}

void main() {
    four_bands();
    WRITE_ALL(beside, across, above, diagonally);
}
