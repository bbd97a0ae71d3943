// r = b - A x of a nine-banded matrix in double precision, and for each work group the sum of its r and of their squares.
// Desktop OpenGL alone has doubles (4.0). Each invocation computes every `stride`-th row, so that few sums are left to the host.
// Defines: GROUP; WINDOW, whose sums are of the rows in a window of the grid alone: its first and last column, exclusive, and the same of
// its rows; CONSTANT or FIELD. Inputs: the bands one after the other, LL LD LU DL DD DU UL UD UU, with n numbers each, or (CONSTANT) one number of
// each and then the diagonal, in the first row of points, the inner ones and the last, and of each in the first, the inner and the last
// column; or (FIELD) the coefficient of diffusion at each point, from which the bands are computed; x; b.
// Outputs: r; sums, two for each work group. The order of each sum is the same in every run.
#extension GL_ARB_gpu_shader_fp64 : require
layout(local_size_x = GROUP) in;
layout(std430, binding = 0) readonly buffer Bands { double bands[]; };
layout(std430, binding = 1) readonly buffer X { double x[]; };
layout(std430, binding = 2) readonly buffer B { double b[]; };
layout(std430, binding = 3) writeonly buffer R { double r[]; };
layout(std430, binding = 4) writeonly buffer Sums { dvec2 sums[]; };
uniform int n;
uniform int m;
uniform int stride;
#ifdef WINDOW
uniform ivec4 window;
bool counts(int i) {
    ivec2 place = ivec2(i % m, i / m);
    return all(greaterThanEqual(place, window.xz)) && all(lessThan(place, window.yw));
}
#else
bool counts(int i) { return true; }
#endif
shared dvec2 parts[GROUP];

#ifdef CONSTANT
// 0 for the first of some places, 2 for the last, and 1 for others.
int kind(int place, int of) { return place == 0 ? 0 : place == of - 1 ? 2 : 1; }

double coefficient(int k, int i) {
    ivec2 place = ivec2(i % m, i / m);
    if (k == 4) {
        return bands[9 + 3 * kind(place.y, n / m) + kind(place.x, m)];
    }
    int beside = place.x + k % 3 - 1;
    return beside >= 0 && beside < m ? bands[k] : double(0.0);
}
#elif defined(FIELD)
double mean(double a, double b) {
    double less = min(a, b);
    return less / (0.5 + 0.5 * (less / max(a, b)));
}

// To the neighbour at an offset; beyond the edge the coefficient is that of the point itself.
double mean_to(int i, int offset, bool is_inside) { return mean(bands[i], bands[is_inside ? i + offset : i]); }

double coefficient(int k, int i) {
    int column = i % m;
    bvec4 inside = bvec4(i >= m, column > 0, column < m - 1, i < n - m);
    if (k == 4) {
        return mean_to(i, -m, inside.x) + mean_to(i, -1, inside.y) + mean_to(i, 1, inside.z) + mean_to(i, m, inside.w);
    }
    bool is_inside = k == 1 ? inside.x : k == 3 ? inside.y : k == 5 ? inside.z : k == 7 && inside.w;
    return is_inside ? -mean_to(i, (k / 3 - 1) * m + k % 3 - 1, true) : double(0.0);
}
#else
double coefficient(int k, int i) { return bands[k * n + i]; }
#endif

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

void main() {
    dvec2 part = dvec2(0.0);
    for (int i = int(gl_GlobalInvocationID.x); i < n; i += stride) {
        double here = residual(i);
        r[i] = here;
        if (counts(i)) {
            part += dvec2(here, here * here);
        }
    }
    uint own = gl_LocalInvocationIndex;
    parts[own] = part;
    barrier();
    for (uint count = uint(GROUP) / 2u; count > 0u; count /= 2u) {
        if (own < count) {
            parts[own] += parts[own + count];
        }
        barrier();
    }
    if (own == 0u) {
        sums[gl_WorkGroupID.x] = parts[0];
    }
}
