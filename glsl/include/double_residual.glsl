// r = b - A x in double precision, and for each work group the sum of its r and of their squares. Desktop OpenGL alone has doubles (4.0).
//
// Each invocation computes every `stride`-th row, so that few sums are left to the host. The order of each sum is the same in every run.
//
// Requires  residual(i), row i of b - A x; counts(i), whether the row is part of the sums
// Provides  all_rows(), which is all that a shader does
// Defines   GROUP, the invocations of a work group; SINGLE, the coefficients are numbers of 32 bits
// Inputs    coefficients, of the matrix; x; b; n, the number of rows; stride, of all invocations
// Outputs   r; sums, two for each work group
#extension GL_ARB_gpu_shader_fp64 : require
layout(local_size_x = GROUP) in;
#ifdef SINGLE
layout(std430, binding = 0) readonly buffer Coefficients { float coefficients[]; };
#else
layout(std430, binding = 0) readonly buffer Coefficients { double coefficients[]; };
#endif
layout(std430, binding = 1) readonly buffer X { double x[]; };
layout(std430, binding = 2) readonly buffer B { double b[]; };
layout(std430, binding = 3) writeonly buffer R { double r[]; };
layout(std430, binding = 4) writeonly buffer Sums { dvec2 sums[]; };
uniform int n;
uniform int stride;
shared dvec2 parts[GROUP];

double residual(int i);
bool counts(int i);

void all_rows() {
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
