// The accuracy card of NVIDIA H200, desktop OpenGL 4.6, driver 580.159.04:
// its tables of fragment shaders in docs/report/h200.html,
// with numbers of three digits as they stand there.
export default {
    name: 'NVIDIA H200',
    description: 'NVIDIA H200, desktop OpenGL 4.6, driver 580.159.04',
    // Operation, arguments, largest error and mean error in ULP, percent that are not the nearest float, what GLSL promises, whether kept.
    accuracy: [
        ['a + b', '2^-8 .. 2^8', 0.5, 0.193, 0, 'rounded', true],
        ['a + b', '2^-60 .. 2^60', 0.5, 0.0805, 0, 'rounded', true],
        ['a - b', '2^-8 .. 2^8', 0.5, 0.186, 0, 'rounded', true],
        ['a * b', '2^-60 .. 2^60', 0.5, 0.22, 0, 'rounded', true],
        ['a / b', '2^-60 .. 2^60', 1.61, 0.355, 26.3, '2.5 ULP', true],
        ['1 / a', '2^-60 .. 2^60', 0.851, 0.26, 9.91, '2.5 ULP', true],
        ['a * b + c', '2^-8 .. 2^8', 0.5, 0.225, 0, '1-2 roundings', true],
        ['fma(a, b, c)', '2^-8 .. 2^8', 0.5, 0.225, 0, '1-2 roundings', true],
        ['sqrt(a)', '2^-60 .. 2^60', 0.892, 0.283, 14.4, '1/inversesqrt', true],
        ['inversesqrt(a)', '2^-60 .. 2^60', 1.23, 0.377, 26.3, '2 ULP', true],
        ['exp(a)', '-1 .. 1', 2.15, 0.426, 33.9, '3 + 2|x| ULP', true],
        ['exp(a)', '-87 .. 88', 58.8, 11.9, 94.6, '3 + 2|x| ULP', true],
        ['exp2(a)', '-1 .. 1', 1.57, 0.377, 30.5, '3 + 2|x| ULP', true],
        ['exp2(a)', '-125 .. 127', 1.79, 0.522, 48.6, '3 + 2|x| ULP', true],
        ['log(a)', 'near 1', 10500000, 493000, 99.3, '3 ULP or 2^-21', true],
        ['log(a)', '2^-60 .. 2^60', 7230000, 1770, 45.6, '3 ULP or 2^-21', true],
        ['log2(a)', 'near 1', 7550000, 425000, 99.3, '3 ULP or 2^-21', true],
        ['log2(a)', '2^-60 .. 2^60', 10400000, 2550, 50.6, '3 ULP or 2^-21', true],
        ['pow(a, b)', '0.1 .. 10, -8 .. 8', 28.1, 2.96, 82.7, 'exp2(y log2 x)', true],
        ['pow(a, b)', 'near 1, -100 .. 100', 136, 32.6, 98.7, 'exp2(y log2 x)', true],
        ['sin(a)', '-pi .. pi', 12300000, 415000, 79.6, 'open', null],
        ['sin(a)', 'near n pi/2', 432000000, 14700000, 79.3, 'open', null],
        ['sin(a)', '-1e6 .. 1e6', 852000000, 2980000, 100, 'open', null],
        ['cos(a)', '-pi .. pi', 3190, 6.6, 81.2, 'open', null],
        ['cos(a)', 'near n pi/2', 53600000000, 59000000, 79.5, 'open', null],
        ['cos(a)', '-1e6 .. 1e6', 1700000000, 3240000, 100, 'open', null],
        ['tan(a)', '-1.5 .. 1.5', 1020, 7.54, 90, 'open', null],
        ['asin(a)', '-1 .. 1', 2.28, 0.465, 36.7, 'open', null],
        ['asin(a)', '2^-30 .. 2^-4', 0.663, 0.0796, 0.586, 'open', null],
        ['acos(a)', '-1 .. 1', 753, 244, 96.5, 'open', null],
        ['acos(a)', '2^-30 .. 2^-4', 568, 519, 100, 'open', null],
        ['atan(a)', '2^-60 .. 2^60', 1.38, 0.215, 8.2, 'open', null],
        ['atan(a, b)', '2^-8 .. 2^8', 1.62, 0.397, 35.2, 'open', null],
        ['sinh(a)', '-10 .. 10', 52.9, 1.56, 76.6, 'open', null],
        ['sinh(a)', '2^-30 .. 2^-4', 16800000, 3220000, 95.9, 'open', null],
        ['cosh(a)', '-10 .. 10', 7.55, 1.41, 72.8, 'open', null],
        ['cosh(a)', '2^-30 .. 2^-4', 0.879, 0.0781, 3.66, 'open', null],
        ['tanh(a)', '-10 .. 10', 1.11, 0.253, 3.81, 'open', null],
        ['tanh(a)', '2^-30 .. 2^-4', 0.652, 0.0814, 0.415, 'open', null],
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
        ['mod(a, b)', '0 .. 1000, 1 .. 10', 0, 0, 0, 'open', null],
        ['dot(vec4, vec4)', '2^-8 .. 2^8', 1.82, 0.303, 31, 'open', null],
        ['length(vec4)', '2^-8 .. 2^8', 1.36, 0.336, 24.8, 'open', null],
        ['normalize(vec4)', '2^-8 .. 2^8', 2.26, 0.478, 39.6, 'open', null],
        ['mix(a, b, c)', '0 .. 1', 0.928, 0.21, 8.28, 'open', null],
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
                { text: 'a + b, a - b and a * b are rounded correctly', good: true },
                { text: 'a / b has an error of up to 1.61 ULP', good: false },
                { text: 'sqrt(a) has an error of up to 0.89 ULP', good: false },
                { text: 'all error bounds that GLSL 4.60 and ES 3.20 promise are kept', good: true },
                {
                    text:
                        'an error of more than 1000 ULP somewhere: log(a) (there by 7.4e-8), log2(a) (there by 7.4e-8), ' +
                        'sin(a) (there by 9.9e-2), cos(a) (there by 2.4e-5), tan(a) (there by 1.2e-7) and sinh(a) (there by ' +
                        '6.0e-8)',
                    good: false,
                },
                { text: 'integers and conversions are exact', good: true },
            ],
        },
        {
            title: 'rounding',
            verdicts: [
                { text: 'a / b: in no one direction, and not always to nearest', good: false },
                { text: 'a + b, a * b, round(a) and int to float: to nearest, ties to even', good: true },
                { text: 'float to int: toward zero', good: true },
                {
                    text:
                        'fractions drawn into bytes: to the nearest byte, but near the middle of two to either, off by up to ' +
                        '0.51 bytes, outside 0 to 1 clamped, NaN becomes 0',
                    good: true,
                },
            ],
        },
        {
            title: 'contraction',
            verdicts: [
                { text: 'a * b + c is fused, however it is written', good: false },
                { text: '`precise` is supported and respected', good: true },
                { text: 'fma() rounds once', good: true },
                {
                    text:
                        'expressions are simplified as if floats were real numbers: (1 + 2^25) - 2^25 gives 1, (largest * 2) ' +
                        '/ 2 gives 3.4028235e38, x - x, x = inf gives 0, 0 * x, x = inf gives 0, x * 0, x = NaN gives 0 and x' +
                        ' + 0, x = -0 gives -0',
                    good: false,
                },
            ],
        },
        {
            title: 'denormals',
            verdicts: [
                { text: 'moved and as constants: kept', good: true },
                { text: 'negated and without their sign: flushed to zero', good: false },
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
                { text: 'clamp(NaN, 0, 1) gives 1, clamp(0.5, NaN, 1) gives 0.5 and clamp(0.5, 0, NaN) gives 0.5', good: false },
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
                { text: 'compute shaders give the same results in every row', good: true },
            ],
        },
        {
            title: 'places of texels',
            verdicts: [
                { text: 'texelFetch at a place: every texel of 32768 x 1 and 1 x 32768', good: true },
                { text: 'sample at a texel\'s centre: every texel of 32768 x 1 and 1 x 32768', good: true },
                { text: 'interpolated coordinate, fetch: every texel of 32768 x 1 and 1 x 32768', good: true },
                { text: 'interpolated coordinate, sample: every texel of 32768 x 1 and 1 x 32768', good: true },
                { text: 'index over rows, in floats: wrong from texel 16777217 of 4099 x 4157 on', good: false },
                { text: 'neighbours by floor(): wrong from texel 16777216 of 4099 x 4099 on', good: false },
            ],
        },
        {
            title: 'lines',
            verdicts: [
                {
                    text:
                        'upward through the centres of texels: 0 of 15 lines exact; 15 texels missed, 0 doubled, 0 strays; ' +
                        'the first wrong one is column 0 of 1 x 1 texels',
                    good: false,
                },
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
                { text: 'in texels (fetch): errors of up to 7.3e-4 texels at 4095 x 1; every texel is met', good: true },
                { text: 'in fractions of the side (sample): errors of up to 6.1e-4 texels at 1 x 4095; every texel is met', good: true },
            ],
        },
        {
            title: 'loops',
            verdicts: [
                { text: 'a loop of 262144 iterations completes', good: true },
            ],
        },
    ],
};
