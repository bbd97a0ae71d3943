// The accuracy card of SwiftShader (Subzero), WebGL 2 in Chromium 156:
// what this page measured there, of fragment shaders, with numbers of three digits.
export default {
    name: 'SwiftShader',
    description: 'SwiftShader (Subzero), WebGL 2 in Chromium 156',
    // Operation, arguments, largest error and mean error in ULP, percent that are not the nearest float, what GLSL promises, whether kept.
    accuracy: [
        ['a + b', '2^-8 .. 2^8', 0.5, 0.193, 0, 'rounded', true],
        ['a + b', '2^-60 .. 2^60', 0.5, 0.0805, 0, 'rounded', true],
        ['a - b', '2^-8 .. 2^8', 0.5, 0.186, 0, 'rounded', true],
        ['a * b', '2^-60 .. 2^60', 0.5, 0.22, 0, 'rounded', true],
        ['a / b', '2^-60 .. 2^60', 0.5, 0.229, 0, '2.5 ULP', true],
        ['1 / a', '2^-60 .. 2^60', 0.5, 0.24, 0, '2.5 ULP', true],
        ['a * b + c', '2^-8 .. 2^8', 1, 0.264, 13.5, '1-2 roundings', true],
        ['sqrt(a)', '2^-60 .. 2^60', 0.5, 0.249, 0, '1/inversesqrt', true],
        ['inversesqrt(a)', '2^-60 .. 2^60', 1.32, 0.377, 31.6, '2 ULP', true],
        ['exp(a)', '-1 .. 1', 3.08, 0.854, 64.6, '3 + 2|x| ULP', true],
        ['exp(a)', '-87 .. 88', 60.8, 12.1, 95, '3 + 2|x| ULP', true],
        ['exp2(a)', '-1 .. 1', 2.95, 0.797, 60.5, '3 + 2|x| ULP', true],
        ['exp2(a)', '-125 .. 127', 2.74, 0.782, 60.4, '3 + 2|x| ULP', true],
        ['log(a)', 'near 1', 3240000, 89100, 82.5, '3 ULP or 2^-21', true],
        ['log(a)', '2^-60 .. 2^60', 3240000, 791, 24.2, '3 ULP or 2^-21', true],
        ['log2(a)', 'near 1', 4680000, 101000, 82.9, '3 ULP or 2^-21', true],
        ['log2(a)', '2^-60 .. 2^60', 4680000, 1140, 2.93, '3 ULP or 2^-21', true],
        ['pow(a, b)', '0.1 .. 10, -8 .. 8', 24.2, 2.75, 84.1, 'exp2(y log2 x)', true],
        ['pow(a, b)', 'near 1, -100 .. 100', 184, 11.7, 74, 'exp2(y log2 x)', true],
        ['sin(a)', '-pi .. pi', 12300000, 416000, 100, 'open', null],
        ['sin(a)', 'near n pi/2', 219000000, 4820000, 71.9, 'open', null],
        ['sin(a)', '-1e6 .. 1e6', 832000000, 1460000, 100, 'open', null],
        ['cos(a)', '-pi .. pi', 7410, 1100, 96.6, 'open', null],
        ['cos(a)', 'near n pi/2', 830000000, 5330000, 70.7, 'open', null],
        ['cos(a)', '-1e6 .. 1e6', 435000000, 1090000, 100, 'open', null],
        ['tan(a)', '-1.5 .. 1.5', 2150, 359, 99.9, 'open', null],
        ['asin(a)', '-1 .. 1', 0.746, 0.26, 6.71, 'open', null],
        ['asin(a)', '2^-30 .. 2^-4', 0.513, 0.079, 0.0488, 'open', null],
        ['acos(a)', '-1 .. 1', 760, 244, 96.5, 'open', null],
        ['acos(a)', '2^-30 .. 2^-4', 568, 519, 100, 'open', null],
        ['atan(a)', '2^-60 .. 2^60', 1.67, 0.216, 8.72, 'open', null],
        ['atan(a, b)', '2^-8 .. 2^8', 1.5, 0.389, 33.5, 'open', null],
        ['sinh(a)', '-10 .. 10', 54.4, 1.62, 79.4, 'open', null],
        ['sinh(a)', '2^-30 .. 2^-4', 21800000, 2970000, 95.6, 'open', null],
        ['cosh(a)', '-10 .. 10', 7.12, 1.5, 78.3, 'open', null],
        ['cosh(a)', '2^-30 .. 2^-4', 1.85, 0.189, 21.9, 'open', null],
        ['tanh(a)', '-10 .. 10', 54, 0.784, 56.5, 'open', null],
        ['tanh(a)', '2^-30 .. 2^-4', 21800000, 3030000, 95.7, 'open', null],
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
        ['dot(vec4, vec4)', '2^-8 .. 2^8', 1.82, 0.35, 39.3, 'open', null],
        ['length(vec4)', '2^-8 .. 2^8', 1.29, 0.299, 18.2, 'open', null],
        ['normalize(vec4)', '2^-8 .. 2^8', 2.3, 0.486, 40.5, 'open', null],
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
                        'an error of more than 1000 ULP somewhere: log(a) (there by 2.3e-8), log2(a) (there by 3.3e-8), ' +
                        'sin(a) (there by 4.8e-2), cos(a) (there by 1.2e-5), tan(a) (there by 5.0e-7), sinh(a) (there by ' +
                        '3.9e-8) and tanh(a) (there by 3.9e-8)',
                    good: false,
                },
                { text: 'wrong: float(uint) (364 of 4096)', good: false },
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
                { text: '`precise` is not supported: it requires OpenGL 4.0 or ES 3.2', good: false },
                {
                    text:
                        'expressions are simplified as if floats were real numbers: (largest * 2) / 2 gives 3.4028235e38, 0 *' +
                        ' x, x = inf gives 0, x * 0, x = NaN gives 0 and x + 0, x = -0 gives -0',
                    good: false,
                },
            ],
        },
        {
            title: 'denormals',
            verdicts: [
                { text: 'moved and as constants: kept', good: true },
                { text: 'negated and without their sign: -(1e-40) gives -0', good: false },
                { text: 'as operands: flushed to zero', good: false },
                { text: 'as results: flushed to zero', good: false },
                { text: 'in min and max: flushed to zero', good: false },
            ],
        },
        {
            title: 'NaN',
            verdicts: [
                { text: 'unlike IEEE 754: log(-1) gives 0 and log2(-1) gives 0', good: false },
                { text: 'min of NaN and a number gives the second operand', good: false },
                { text: 'max of NaN and a number gives the second operand', good: false },
                { text: 'clamp(NaN, 0, 1) gives 0, clamp(0.5, NaN, 1) gives 1 and clamp(0.5, 0, NaN) gives NaN', good: false },
            ],
        },
        {
            title: 'infinities and zeros',
            verdicts: [
                { text: 'infinities and overflow, unlike IEEE 754: log(0) gives -88.02969 and log2(0) gives -127', good: false },
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
            ],
        },
        {
            title: 'places of texels',
            verdicts: [
                { text: 'texelFetch at a place: every texel of 8192 x 1 and 1 x 8192', good: true },
                { text: 'sample at a texel\'s centre: every texel of 8192 x 1 and 1 x 8192', good: true },
                { text: 'interpolated coordinate, fetch: every texel of 8192 x 1 and 1 x 8192', good: true },
                { text: 'interpolated coordinate, sample: every texel of 8192 x 1 and 1 x 8192', good: true },
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
                { text: 'in texels (fetch): errors of up to 4.9e-4 texels at 1 x 4095; every texel is met', good: true },
                { text: 'in fractions of the side (sample): errors of up to 8.5e-4 texels at 1 x 4095; every texel is met', good: true },
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
