// Transforms, sorts and sums, against their definitions in double precision.
import { array, equal, near, numbers, ok, rejects, same } from './check.js';

/** The transform of rows of length n by its definition. */
function transform(re, im, n, sign = -1) {
    const out = { re: new Float64Array(re.length), im: new Float64Array(re.length) };
    for (let at = 0; at < re.length; at++) {
        const [row, k] = [at - (at % n), at % n];
        for (let j = 0; j < n; j++) {
            const angle = (sign * 2 * Math.PI * ((j * k) % n)) / n;
            const [c, s] = [Math.cos(angle), Math.sin(angle)];
            out.re[at] += re[row + j] * c - im[row + j] * s;
            out.im[at] += re[row + j] * s + im[row + j] * c;
        }
    }
    return out;
}

function transpose(x, height, width) {
    return x.map((_, i) => x[(i % height) * width + Math.floor(i / height)]);
}

/** Both parts, compared on the scale of the larger one. */
function nearBoth(found, expected, tolerance, what) {
    near([...found.re.data, ...found.im.data], [...expected.re, ...expected.im], tolerance, what);
}

const complex = (shape, seed) => ({ re: array(shape, seed), im: array(shape, seed + 1) });
const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

export const primitives = {
    'transforms of lengths of all kinds': async (engine) => {
        for (const n of [1, 2, 3, 4, 5, 8, 12, 64, 97, 100, 256, 360]) {
            const x = complex([n], n);
            const expected = transform(x.re.data, x.im.data, n);
            const found = await engine.fft(x);
            equal([found.re.shape, found.im.shape], [[n], [n]]);
            nearBoth(found, expected, 3e-6, `length ${n}`);
            nearBoth(await engine.ifft(found), { re: x.re.data, im: x.im.data }, 3e-6, `back, length ${n}`);
        }
    },

    'a transform of real rows': async (engine) => {
        const x = array([5, 48], 7);
        const found = await engine.fft(x);
        equal(found.re.shape, [5, 48]);
        nearBoth(found, transform(x.data, new Float64Array(240), 48), 3e-6);
    },

    'transforms over both axes': async (engine) => {
        for (const [height, width] of [
            [16, 32],
            [15, 20],
            [1, 8],
        ]) {
            const x = complex([height, width], 11);
            const rows = transform(x.re.data, x.im.data, width);
            const columns = transform(transpose(rows.re, height, width), transpose(rows.im, height, width), height);
            const expected = { re: transpose(columns.re, width, height), im: transpose(columns.im, width, height) };
            const found = await engine.fft2(x);
            equal(found.re.shape, [height, width]);
            nearBoth(found, expected, 3e-6, `${height} x ${width}`);
            nearBoth(await engine.ifft2(found), { re: x.re.data, im: x.im.data }, 3e-6, 'back');
        }
    },

    'sorts of floats: awkward lengths, both orders': async (engine) => {
        for (const n of [1, 2, 3, 255, 256, 257, 5000]) {
            const x = { data: numbers(n, n), shape: [n] };
            const sorted = Float32Array.from(x.data).sort();
            const found = await engine.sort(x);
            equal(found.shape, [n]);
            same(found.data, sorted, `${n} numbers`);
            same((await engine.sort(x, { descending: true })).data, sorted.slice().reverse(), `${n} numbers, descending`);
        }
    },

    'sorts of integers, infinities and equal numbers': async (engine) => {
        const i = { data: Int32Array.from({ length: 999 }, (_, i) => Math.imul(i, 2654435761) >> (i % 7)), shape: [999] };
        same((await engine.sort(i)).data, i.data.slice().sort(), 'int32');
        const u = { data: Uint32Array.from(i.data), shape: [999] };
        same((await engine.sort(u)).data, u.data.slice().sort(), 'uint32');
        const x = { data: new Float32Array([3, -Infinity, 3, Infinity, -2, 3, 0.5]), shape: [7] };
        same((await engine.sort(x)).data, x.data.slice().sort(), 'infinities');
    },

    'places of a sort are stable': async (engine) => {
        const x = { data: Float32Array.from({ length: 1001 }, (_, i) => (i * 7919) % 13), shape: [1001] };
        const places = Array.from(x.data.keys());
        const ascending = places.slice().sort((a, b) => compare(x.data[a], x.data[b]) || a - b);
        const descending = places.slice().sort((a, b) => compare(x.data[b], x.data[a]) || a - b);
        equal(Array.from((await engine.argsort(x)).data), ascending, 'ascending');
        equal(Array.from((await engine.argsort(x, { descending: true })).data), descending, 'descending');
    },

    'prefix sums': async (engine) => {
        for (const n of [1, 2, 15, 16, 17, 4097]) {
            const x = { data: numbers(n, n).map((v) => Math.round(100 * v)), shape: [n] };
            let sum = 0;
            const expected = x.data.map((v) => (sum += v));
            same((await engine.cumsum(x)).data, expected, `${n} numbers that are sums without rounding`);
        }
    },

    'prefix sums of integers': async (engine) => {
        const i = { data: Int32Array.from({ length: 100 }, (_, i) => i * 30_000_000), shape: [100] };
        let sum = 0;
        same(
            (await engine.cumsum(i)).data,
            i.data.map((v) => (sum = (sum + v) | 0)),
            'int32, modulo 2^32',
        );
    },

    sums: async (engine) => {
        for (const shape of [[1], [1000], [1023], [77, 1025], [100_003]]) {
            const x = array(shape, shape[0]);
            const exact = x.data.reduce((a, b) => a + b, 0);
            const size = x.data.reduce((a, b) => a + Math.abs(b), 0);
            const found = await engine.sum(x);
            ok(Math.abs(found - exact) <= 2e-6 * size, `the sum of ${shape} is ${exact}, found ${found}`);
        }
    },

    'arrays on the device: chains without reading back': async (engine) => {
        const x = array([3000], 8);
        const device = await engine.upload(x);
        equal([device.shape, device.type], [[3000], 'float32']);
        same((await device.read()).data, x.data, 'read back');
        const sorted = await engine.sort(device);
        const sorted32 = Float32Array.from(x.data).sort();
        same((await sorted.read()).data, sorted32, 'sorted');
        const exact = x.data.reduce((a, b) => a + b, 0);
        ok(Math.abs((await engine.sum(sorted)) - exact) < 1e-3, 'the sum');
        let total = 0;
        near(
            (await (await engine.cumsum(sorted)).read()).data,
            Float64Array.from(sorted32, (v) => (total += v)),
            1e-6,
            'prefix sums',
        );
        await Promise.all([device.close(), sorted.close()]);
        ok(
            await device.read().then(
                () => false,
                () => true,
            ),
            'a closed array is not read',
        );
    },

    'matrices and transforms on the device': async (engine) => {
        const [a, b] = [array([20, 30], 1), array([30, 10], 2)];
        const [da, db] = [await engine.uploadMatrix(a), await engine.uploadMatrix(b)];
        const device = await (await engine.matmul(da, db)).read();
        const host = await engine.matmul(a, b);
        equal(device.shape, [20, 10]);
        near(device.data, host.data, 1e-6, 'as from the host');
        const x = complex([64], 3);
        const y = await engine.upload(array([64], 5));
        await engine.axpy(3, await engine.upload(x.re), y);
        near(
            (await y.read()).data,
            array([64], 5).data.map((v, i) => v + 3 * x.re.data[i]),
            1e-6,
            'axpy',
        );
        const there = await engine.fft(await engine.upload(x));
        equal(there.type, 'complex64');
        const back = await (await engine.ifft(there)).read();
        near(back.re.data, x.re.data, 3e-6, 'there and back');
    },

    'what primitives refuse': async (engine) => {
        await rejects(engine.fft({ re: array([8]), im: array([9]) }), /8[^]*9/);
        await rejects(engine.sort({ data: new Float32Array(5), shape: [6] }), /6[^]*5|5[^]*6/);
        await rejects(engine.sum({ data: [1, 2, 3], shape: [3] }), /Float32Array/);
    },
};
