// The accuracy card of llvmpipe, desktop OpenGL 4.5, Mesa 22.3.6 (LLVM 15.0.6, 256 bits):
// its tables of fragment shaders in docs/report/llvmpipe.html,
// with numbers of three digits as they stand there.
export default {
    name: 'llvmpipe',
    description: 'llvmpipe, desktop OpenGL 4.5, Mesa 22.3.6 (LLVM 15.0.6, 256 bits)',
    // Operation, arguments, largest error and mean error in ULP, percent that are not the nearest float, what GLSL promises, whether kept.
    accuracy: [
        ['a + b', '2^-8 .. 2^8', 0.5, 0.193, 0, 'rounded', true],
        ['a + b', '2^-60 .. 2^60', 0.5, 0.0805, 0, 'rounded', true],
        ['a - b', '2^-8 .. 2^8', 0.5, 0.186, 0, 'rounded', true],
        ['a * b', '2^-60 .. 2^60', 0.5, 0.22, 0, 'rounded', true],
        ['a / b', '2^-60 .. 2^60', 0.5, 0.229, 0, '2.5 ULP', true],
        ['1 / a', '2^-60 .. 2^60', 0.5, 0.24, 0, '2.5 ULP', true],
        ['a * b + c', '2^-8 .. 2^8', 1, 0.264, 13.5, '1-2 roundings', true],
        ['fma(a, b, c)', '2^-8 .. 2^8', 1, 0.264, 13.5, '1-2 roundings', true],
        ['sqrt(a)', '2^-60 .. 2^60', 0.5, 0.249, 0, '1/inversesqrt', true],
        ['inversesqrt(a)', '2^-60 .. 2^60', 1.32, 0.377, 31.6, '2 ULP', true],
        ['exp(a)', '-1 .. 1', 3.4, 0.853, 66.1, '3 + 2|x| ULP', true],
        ['exp(a)', '-87 .. 88', 61.8, 12, 94.8, '3 + 2|x| ULP', true],
        ['exp2(a)', '-1 .. 1', 3.02, 0.812, 61.7, '3 + 2|x| ULP', true],
        ['exp2(a)', '-125 .. 127', 2.8, 0.81, 62.3, '3 + 2|x| ULP', true],
        ['log(a)', 'near 1', 2320000, 59700, 74.2, '3 ULP or 2^-21', true],
        ['log(a)', '2^-60 .. 2^60', 6150000, 1500, 24.2, '3 ULP or 2^-21', true],
        ['log2(a)', 'near 1', 1680000, 61600, 74.6, '3 ULP or 2^-21', true],
        ['log2(a)', '2^-60 .. 2^60', 8870000, 2170, 2.39, '3 ULP or 2^-21', true],
        ['pow(a, b)', '0.1 .. 10, -8 .. 8', 20.9, 2.63, 83.6, 'exp2(y log2 x)', true],
        ['pow(a, b)', 'near 1, -100 .. 100', 169, 9.83, 74.7, 'exp2(y log2 x)', true],
        ['sin(a)', '-pi .. pi', 1.08, 0.292, 11.9, 'open', null],
        ['sin(a)', 'near n pi/2', 5.79, 0.249, 11.6, 'open', null],
        ['sin(a)', '-1e6 .. 1e6', 15, 0.34, 20.3, 'open', null],
        ['cos(a)', '-pi .. pi', 1.24, 0.308, 18.7, 'open', null],
        ['cos(a)', 'near n pi/2', 622, 0.763, 11.1, 'open', null],
        ['cos(a)', '-1e6 .. 1e6', 15.5, 0.321, 17.2, 'open', null],
        ['tan(a)', '-1.5 .. 1.5', 2.49, 0.467, 37.9, 'open', null],
        ['asin(a)', '-1 .. 1', 6800, 2420, 96.6, 'open', null],
        ['asin(a)', '2^-30 .. 2^-4', 25165823, 3540000, 95, 'open', null],
        ['acos(a)', '-1 .. 1', 3770, 647, 96.4, 'open', null],
        ['acos(a)', '2^-30 .. 2^-4', 195, 5.98, 39.7, 'open', null],
        ['atan(a)', '2^-60 .. 2^60', 347, 130, 63.2, 'open', null],
        ['atan(a, b)', '2^-8 .. 2^8', 347, 48.6, 85.2, 'open', null],
        ['sinh(a)', '-10 .. 10', 181, 1.72, 78.8, 'open', null],
        ['sinh(a)', '2^-30 .. 2^-4', 260046848, 18300000, 96, 'open', null],
        ['cosh(a)', '-10 .. 10', 7.29, 1.51, 78.1, 'open', null],
        ['cosh(a)', '2^-30 .. 2^-4', 1.98, 0.145, 12.4, 'open', null],
        ['tanh(a)', '-10 .. 10', 181, 0.864, 56.5, 'open', null],
        ['tanh(a)', '2^-30 .. 2^-4', 260046848, 18300000, 96.1, 'open', null],
        ['floor(a)', '-1000 .. 1000', 0, 0, 0, 'exact', true],
        ['floor(a)', '2^-30 .. 2^30', 0, 0, 0, 'exact', true],
        ['ceil(a)', '-1000 .. 1000', 0, 0, 0, 'exact', true],
        ['ceil(a)', '2^-30 .. 2^30', 0, 0, 0, 'exact', true],
        ['trunc(a)', '-1000 .. 1000', 0, 0, 0, 'exact', true],
        ['trunc(a)', '2^-30 .. 2^30', 0, 0, 0, 'exact', true],
        ['round(a)', '-1000 .. 1000', 0, 0, 0, 'nearest', true],
        ['round(a)', '2^-30 .. 2^30', 0, 0, 0, 'nearest', true],
        ['roundEven(a)', '-1000 .. 1000', 0, 0, 0, 'exact', true],
        ['roundEven(a)', '2^-30 .. 2^30', 0, 0, 0, 'exact', true],
        ['fract(a)', '-1000 .. 1000', 0, 0, 0, 'rounded', true],
        ['mod(a, b)', '0 .. 1000, 1 .. 10', 0.5, 0.225, 86.3, 'open', null],
        ['dot(vec4, vec4)', '2^-8 .. 2^8', 1.71, 0.347, 37.9, 'open', null],
        ['length(vec4)', '2^-8 .. 2^8', 1.39, 0.301, 18.1, 'open', null],
        ['normalize(vec4)', '2^-8 .. 2^8', 2.27, 0.493, 41.3, 'open', null],
        ['mix(a, b, c)', '0 .. 1', 1.27, 0.224, 14.7, 'open', null],
        ['min(a, b)', '2^-60 .. 2^60', 0, 0, 0, 'exact', true],
        ['max(a, b)', '2^-60 .. 2^60', 0, 0, 0, 'exact', true],
        ['clamp(a, -b, b)', '2^-60 .. 2^60', 0, 0, 0, 'exact', true],
        ['abs(a)', '2^-60 .. 2^60', 0, 0, 0, 'exact', true],
        ['-a', '2^-60 .. 2^60', 0, 0, 0, 'exact', true],
        ['sign(a)', '2^-60 .. 2^60', 0, 0, 0, 'exact', true],
    ],
    verdicts: [
        {
            title: 'arithmetic',
            verdicts: [
                { text: 'a + b, a - b, a * b, a / b and sqrt(a) are rounded correctly', good: true },
                { text: 'all error bounds that GLSL 4.60 and ES 3.20 promise are kept', good: true },
                {
                    text:
                        'an error of more than 1000 ULP somewhere: log(a) (there by 4.4e-8), log2(a) (there by 6.3e-8), ' +
                        'asin(a) (there by 8.9e-8), acos(a) (there by 1.4e-5), sinh(a) (there by 2.9e-8) and tanh(a) (there ' +
                        'by 2.9e-8)',
                    good: false,
                },
                { text: 'integers and conversions are exact', good: true },
            ],
        },
        {
            title: 'rounding',
            verdicts: [
                { text: 'a + b, a * b, a / b, round(a) and int to float: to nearest, ties to even', good: true },
                { text: 'float to int: toward zero', good: true },
                { text: 'fractions drawn into bytes: to the nearest byte, outside 0 to 1 clamped, NaN becomes 0', good: true },
            ],
        },
        {
            title: 'contraction',
            verdicts: [
                { text: 'a * b + c is not fused, however it is written', good: true },
                { text: '`precise` is supported and respected', good: true },
                { text: 'fma() rounds twice: it is a product and a sum', good: false },
                {
                    text:
                        'expressions are simplified as if floats were real numbers: (1 + 2^25) - 2^25 gives 1, x - x, x = inf' +
                        ' gives 0, 0 * x, x = inf gives 0, x * 0, x = NaN gives 0 and x + 0, x = -0 gives -0',
                    good: false,
                },
            ],
        },
        {
            title: 'denormals',
            verdicts: [
                { text: 'moved and as constants: kept', good: true },
                { text: 'negated and without their sign: kept', good: true },
                { text: 'as operands: flushed to zero', good: false },
                { text: 'as results: flushed to zero', good: false },
                { text: 'in min and max: flushed to zero', good: false },
            ],
        },
        {
            title: 'NaN',
            verdicts: [
                { text: 'produced, kept, compared and detected by isnan() as in IEEE 754', good: true },
                { text: 'min of NaN and a number gives the number', good: false },
                { text: 'max of NaN and a number gives the number', good: false },
                { text: 'clamp(NaN, 0, 1) gives 0, clamp(0.5, NaN, 1) gives 0.5 and clamp(0.5, 0, NaN) gives 0.5', good: false },
            ],
        },
        {
            title: 'infinities and zeros',
            verdicts: [
                { text: 'infinities and overflow: as in IEEE 754', good: true },
                { text: 'the sign of zero: as in IEEE 754', good: true },
            ],
        },
        {
            title: 'ways of numbers',
            verdicts: [
                { text: 'denormals, NaN, infinities, -0 and the largest arrive by every other way', good: true },
                { text: 'added to -0 by blending: loses denormals', good: false },
            ],
        },
        {
            title: 'engines',
            verdicts: [
                { text: 'vertex shaders give the same results in every row', good: true },
                {
                    text:
                        'compute shaders differ in 1e-40 + 1e-40, 2^-126 * 1.5 - 2^-126, 1e-40 * 2^30, 2^-100 * 2^-30, 2^-100' +
                        ' / 2^30, 1e-40 > 0, 1e-40 == 0, max(1e-40, 0) and min(1e-40, 1)',
                    good: false,
                },
            ],
        },
        {
            title: 'places of texels',
            verdicts: [
                { text: 'texelFetch at a place: every texel of 16384 x 1 and 1 x 16384', good: true },
                { text: 'sample at a texel\'s centre: every texel of 16384 x 1 and 1 x 16384', good: true },
                { text: 'interpolated coordinate, fetch: every texel of 16384 x 1 and 1 x 16384', good: true },
                { text: 'interpolated coordinate, sample: every texel of 16384 x 1 and 1 x 16384', good: true },
                { text: 'index over rows, in floats: wrong from texel 16777217 of 4099 x 4157 on', good: false },
                { text: 'neighbours by floor(): wrong from texel 16777216 of 4099 x 4099 on', good: false },
            ],
        },
        {
            title: 'lines',
            verdicts: [
                { text: 'upward through the centres of texels: all 15 lines cover their column once', good: true },
                { text: 'downward through the centres of texels: all 15 lines cover their column once', good: true },
                {
                    text:
                        'upward along the left sides of texels: 0 of 15 lines exact; 4355 texels missed, 0 doubled, 2177 ' +
                        'strays; the first wrong one is column 0 of 1 x 1 texels',
                    good: false,
                },
                {
                    text:
                        'downward along the left sides of texels: 0 of 15 lines exact; 4355 texels missed, 0 doubled, 2177 ' +
                        'strays; the first wrong one is column 0 of 1 x 1 texels',
                    good: false,
                },
            ],
        },
        {
            title: 'interpolated coordinates',
            verdicts: [
                { text: 'in texels (fetch): exact; every texel is met', good: true },
                { text: 'in fractions of the side (sample): errors of up to 6.7e-4 texels at 1 x 4095; every texel is met', good: true },
            ],
        },
        {
            title: 'loops',
            verdicts: [
                {
                    text:
                        'all loops of an invocation end after 65535 iterations together, without an error: a longer ' +
                        'computation needs several passes',
                    good: false,
                },
            ],
        },
    ],
};
