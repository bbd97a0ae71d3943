// Discrete Fourier transforms of a few numbers in registers.
//
// Provides  dft_2, dft_3, dft_4, dft_5, dft_7, dft_8, dft_16   in place, of as many complex numbers
// Inputs: COMPLEX, vec2 if it is not defined, or vec4 for two transforms at a time.
// Source: Winograd's short transforms are not used: 3, 5 and 7 are sums and differences of mirrored numbers, times cosines and sines.

#ifndef COMPLEX
#define COMPLEX vec2
#endif

vec2 turned(vec2 a) { return vec2(a.y, -a.x); }
vec4 turned(vec4 a) { return vec4(turned(a.xy), turned(a.zw)); }

void dft_2(inout COMPLEX a, inout COMPLEX b) {
    COMPLEX difference = a - b;
    a += b;
    b = difference;
}

void dft_3(inout COMPLEX a, inout COMPLEX b, inout COMPLEX c) {
    COMPLEX sum = b + c;
    COMPLEX off = 0.8660254038 * turned(b - c);
    COMPLEX middle = a - 0.5 * sum;
    a += sum;
    b = middle + off;
    c = middle - off;
}

void dft_4(inout COMPLEX a, inout COMPLEX b, inout COMPLEX c, inout COMPLEX d) {
    dft_2(a, c);
    dft_2(b, d);
    d = turned(d);
    dft_2(a, b);
    dft_2(c, d);
    // Now in the order 0, 2, 1, 3.
    COMPLEX first = c;
    c = b;
    b = first;
}

void dft_5(inout COMPLEX a, inout COMPLEX b, inout COMPLEX c, inout COMPLEX d, inout COMPLEX e) {
    COMPLEX outer = b + e;
    COMPLEX inner = c + d;
    COMPLEX outer_off = turned(b - e);
    COMPLEX inner_off = turned(c - d);
    COMPLEX one = a + 0.3090169944 * outer - 0.8090169944 * inner;
    COMPLEX two = a - 0.8090169944 * outer + 0.3090169944 * inner;
    COMPLEX one_off = 0.9510565163 * outer_off + 0.5877852523 * inner_off;
    COMPLEX two_off = 0.5877852523 * outer_off - 0.9510565163 * inner_off;
    a += outer + inner;
    b = one + one_off;
    c = two + two_off;
    d = two - two_off;
    e = one - one_off;
}

void dft_7(inout COMPLEX a, inout COMPLEX b, inout COMPLEX c, inout COMPLEX d, inout COMPLEX e, inout COMPLEX f,
    inout COMPLEX g) {
    COMPLEX s1 = b + g, s2 = c + f, s3 = d + e;
    COMPLEX t1 = turned(b - g), t2 = turned(c - f), t3 = turned(d - e);
    COMPLEX one = a + 0.6234898019 * s1 - 0.2225209340 * s2 - 0.9009688679 * s3;
    COMPLEX two = a - 0.2225209340 * s1 - 0.9009688679 * s2 + 0.6234898019 * s3;
    COMPLEX three = a - 0.9009688679 * s1 + 0.6234898019 * s2 - 0.2225209340 * s3;
    COMPLEX one_off = 0.7818314825 * t1 + 0.9749279122 * t2 + 0.4338837391 * t3;
    COMPLEX two_off = 0.9749279122 * t1 - 0.4338837391 * t2 - 0.7818314825 * t3;
    COMPLEX three_off = 0.4338837391 * t1 - 0.7818314825 * t2 + 0.9749279122 * t3;
    a += s1 + s2 + s3;
    b = one + one_off;
    c = two + two_off;
    d = three + three_off;
    e = three - three_off;
    f = two - two_off;
    g = one - one_off;
}

void dft_8(inout COMPLEX a, inout COMPLEX b, inout COMPLEX c, inout COMPLEX d, inout COMPLEX e, inout COMPLEX f,
    inout COMPLEX g, inout COMPLEX h) {
    const float half_root = 0.7071067812;
    dft_4(a, c, e, g);
    dft_4(b, d, f, h);
    d = half_root * (d + turned(d));
    f = turned(f);
    h = half_root * (turned(h) - h);
    dft_2(a, b);
    dft_2(c, d);
    dft_2(e, f);
    dft_2(g, h);
    // Now in the order 0, 4, 1, 5, 2, 6, 3, 7.
    COMPLEX v1 = c, v2 = e, v3 = g, v4 = b, v5 = d, v6 = f;
    b = v1;
    c = v2;
    d = v3;
    e = v4;
    f = v5;
    g = v6;
}

void dft_16(inout COMPLEX v0, inout COMPLEX v1, inout COMPLEX v2, inout COMPLEX v3, inout COMPLEX v4,
    inout COMPLEX v5, inout COMPLEX v6, inout COMPLEX v7, inout COMPLEX v8, inout COMPLEX v9, inout COMPLEX v10,
    inout COMPLEX v11, inout COMPLEX v12, inout COMPLEX v13, inout COMPLEX v14, inout COMPLEX v15) {
    const vec2 w1 = vec2(0.9238795325, -0.3826834324);
    const vec2 w3 = vec2(0.3826834324, -0.9238795325);
    const float half_root = 0.7071067812;
    dft_4(v0, v4, v8, v12);
    dft_4(v1, v5, v9, v13);
    dft_4(v2, v6, v10, v14);
    dft_4(v3, v7, v11, v15);
    v5 = times(v5, w1);
    v6 = half_root * (v6 + turned(v6));
    v7 = times(v7, w3);
    v9 = half_root * (v9 + turned(v9));
    v10 = turned(v10);
    v11 = half_root * (turned(v11) - v11);
    v13 = times(v13, w3);
    v14 = half_root * (turned(v14) - v14);
    v15 = times(v15, -w1);
    dft_4(v0, v1, v2, v3);
    dft_4(v4, v5, v6, v7);
    dft_4(v8, v9, v10, v11);
    dft_4(v12, v13, v14, v15);
    // Now transposed.
    COMPLEX t;
    t = v1; v1 = v4; v4 = t;
    t = v2; v2 = v8; v8 = t;
    t = v3; v3 = v12; v12 = t;
    t = v6; v6 = v9; v9 = t;
    t = v7; v7 = v13; v13 = t;
    t = v11; v11 = v14; v14 = t;
}
