// A function of the vector machine on the vertex stage, one point per invocation, which writes a texel of the target or
// an element of a buffer.
//
// Inputs: those of include/vector_function.glsl, with ATTRIBUTES from vertex attributes; vector_width, the target's texels in a row.
// Defines: CAPTURED: the result goes to a buffer, four bytes as one uint, the first one lowest. BLENDED: all points are
// added in the only texel of the target.
// Output: vector_result.
#include "include/rectangle.glsl"
#include "include/vector_function.glsl"

#if defined(CAPTURED) && defined(TO_BYTES)
flat out uint vector_result;
uint vector_given(vec4 numbers) {
    uvec4 bytes = uvec4(numbers * 255.0 + 0.5);
    return bytes.x | bytes.y << 8 | bytes.z << 16 | bytes.w << 24;
}
#else
flat out RESULT vector_result;
#define vector_given(number) number
#endif

#if !defined(CAPTURED) && !defined(BLENDED)
uniform int vector_width;
#endif

void main() {
    vector_result = vector_given(vector_compute(gl_VertexID));
    gl_PointSize = 1.0;
#if defined(CAPTURED) || defined(BLENDED)
    gl_Position = vec4(0.0, 0.0, 0.0, 1.0);
#else
    gl_Position = on_target(vec2(vector_place(gl_VertexID, vector_width)) + 0.5);
#endif
}

#include "program.glsl"
