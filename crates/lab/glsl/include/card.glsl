// What one invocation answers when the numeric card asks for an expression. Numbers come and go as
// bits, so that neither a texture nor a target stands between the arithmetic and who judges it, and
// they come from a texture, so that no compiler knows them.
//
// Takes   arguments: texels of four numbers' bits
// Define  EXPRESSION, of the floats a, b, c, d, and INTEGER where it is one of the ints i, j, k, l;
//         or CASES, a list of CASE(number, expression of a, b, c or i, j, k) from which l chooses;
//         it fits expressions that do not depend on what a compiler makes of their neighbours
// Gives   answer(bits): the result's bits
//
// The functions are the forms in which a product and a sum can be written, which GLSL lets a
// compiler fuse unless they are precise (GLSL 4.60, 4.7.1).
uniform isampler2D arguments;

float product(float a, float b) { return a * b; }

float in_two_statements(float a, float b, float c) {
    float ab = a * b;
    ab += c;
    return ab;
}

float across_functions(float a, float b, float c) { return product(a, b) + c; }

float precisely(float a, float b, float c) {
    PRECISE float sum = a * b + c;
    return sum;
}

float precisely_in_two(float a, float b, float c) {
    PRECISE float ab = a * b;
    PRECISE float sum = ab + c;
    return sum;
}

float dot_of_two(float a, float b, float c) { return dot(vec2(a, c), vec2(b, 1.0)); }

float fused(float a, float b, float c) {
#ifdef QUADRILLE_PRECISE
    return fma(a, b, c);
#else
    return a * b + c;
#endif
}

// Sums and quotients that an exact mathematician would shorten, and a float may not.
float there_and_back(float a, float b) { return (a + b) - b; }

float precisely_there_and_back(float a, float b) {
    PRECISE float there = a + b;
    PRECISE float back = there - b;
    return back;
}

// A NaN that no question has. Where a compiler shortens the expression to a constant the arguments
// must stay: NVIDIA's OpenGL ES 3.2 (580.159) ended the process over programs that had lost them.
const int NEVER_ASKED = 0x7fc12345;

int answer(ivec4 bits) {
    float a = intBitsToFloat(bits.x);
    float b = intBitsToFloat(bits.y);
    float c = intBitsToFloat(bits.z);
    float d = intBitsToFloat(bits.w);
    int i = bits.x, j = bits.y, k = bits.z, l = bits.w;
#if defined(CASES)
    // No `return` in between: a compiler would nest what follows, and llvmpipe ends at 80 levels.
    int result = 0;
#ifdef INTEGER
#define CASE(number, expression) if (l == number) result = expression;
#else
#define CASE(number, expression) if (l == number) result = floatBitsToInt(expression);
#endif
    CASES
    return result;
#elif defined(INTEGER)
    return l == NEVER_ASKED ? 0 : EXPRESSION;
#else
    return l == NEVER_ASKED ? 0 : floatBitsToInt(EXPRESSION);
#endif
}
