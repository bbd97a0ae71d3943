// Bytes of files to arrays and back.
import { array, equal, near, ok, rejects, same } from './check.js';

const encoder = new TextEncoder();
const TYPES = { '<f4': Float32Array, '<i4': Int32Array, '<u4': Uint32Array, '<f8': Float64Array };

/** A file as NumPy writes it, of version 1.0. */
function npy(type, shape, values, order = 'False') {
    const list = shape.length === 1 ? `${shape[0]},` : shape.join(', ');
    const header = `{'descr': '${type}', 'fortran_order': ${order}, 'shape': (${list}), }`;
    const padded = header.padEnd(Math.ceil((header.length + 11) / 64) * 64 - 11) + '\n';
    const data = new Uint8Array(TYPES[type].from(values).buffer);
    const bytes = new Uint8Array(10 + padded.length + data.length);
    bytes.set([0x93, ...encoder.encode('NUMPY'), 1, 0, padded.length & 255, padded.length >> 8]);
    bytes.set(encoder.encode(padded), 10);
    bytes.set(data, 10 + padded.length);
    return bytes;
}

/** A picture as the browser encodes it, of opaque pixels. */
async function picture(width, height, rgb, type = 'image/png') {
    const canvas = new OffscreenCanvas(width, height);
    const pixels = new Uint8ClampedArray(width * height * 4).map((_, i) =>
        i % 4 === 3 ? 255 : rgb(Math.floor(i / 4) % width, Math.floor(i / 4 / width), i % 4),
    );
    canvas.getContext('2d').putImageData(new ImageData(pixels, width, height), 0, 0);
    return { pixels, bytes: new Uint8Array(await (await canvas.convertToBlob({ type, quality: 1 })).arrayBuffer()) };
}

/** The pixels of a picture, as the browser decodes it. */
async function decoded(bytes) {
    const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const { width, height } = bitmap;
    const context = new OffscreenCanvas(width, height).getContext('2d');
    context.drawImage(bitmap, 0, 0);
    return { width, height, data: context.getImageData(0, 0, width, height).data };
}

export const files = {
    '.npy: floats, integers and doubles are read': async (engine) => {
        for (const [type, kind] of [
            ['<f4', Float32Array],
            ['<i4', Int32Array],
            ['<u4', Uint32Array],
        ]) {
            const values = Array.from({ length: 15 }, (_, i) => i * 3);
            const found = await engine.readFile('x.npy', npy(type, [3, 5], values));
            ok(found.data instanceof kind, `${type} is read as ${found.data.constructor.name}`);
            equal([found.shape, Array.from(found.data), found.notes], [[3, 5], values, []], type);
        }
        const rounded = await engine.readFile('x.npy', npy('<f8', [4], [0.1, 1, 1e-300, -2.5]));
        equal([rounded.shape, Array.from(rounded.data)], [[4], [Math.fround(0.1), 1, 0, -2.5]]);
        ok(rounded.notes.length > 0, 'that doubles were rounded is a note');
    },

    '.npy: the order of Fortran': async (engine) => {
        const found = await engine.readFile('x.npy', npy('<f4', [2, 3], [1, 4, 2, 5, 3, 6], 'True'));
        equal(
            [found.shape, Array.from(found.data)],
            [
                [2, 3],
                [1, 2, 3, 4, 5, 6],
            ],
        );
    },

    '.npy: written as NumPy has it, and read again': async (engine) => {
        for (const shape of [[7], [3, 5], [4, 3, 2]]) {
            const x = array(shape, 4);
            const bytes = await engine.writeFile('x.npy', x);
            equal(Array.from(bytes.slice(0, 6)), [0x93, 78, 85, 77, 80, 89]);
            const length = bytes[8] + 256 * bytes[9];
            equal((10 + length) % 64, 0, 'the header ends at a multiple of 64');
            same(new Float32Array(bytes.slice(10 + length).buffer), x.data, 'the numbers');
            const again = await engine.readFile('x.npy', bytes);
            equal(again.shape, shape);
            same(again.data, x.data);
        }
    },

    '.png: read as numbers from 0 to 1, and written': async (engine) => {
        const { pixels, bytes } = await picture(13, 7, (x, y, channel) => (x * 19 + y * 7 + channel * 60) % 256);
        const found = await engine.readFile('picture.png', bytes);
        equal(found.shape.slice(0, 2), [7, 13]);
        const channels = found.shape[2];
        const expected = pixels.filter((_, i) => channels === 4 || i % 4 < 3);
        near(
            found.data,
            Float32Array.from(expected, (v) => v / 255),
            1e-6,
            'of the picture',
        );
        const again = await decoded(await engine.writeFile('again.png', found));
        equal([again.width, again.height], [13, 7]);
        same(again.data, pixels, 'written again');
    },

    '.jpg: read as numbers from 0 to 1, as near as its compression leaves them': async (engine) => {
        const { pixels, bytes } = await picture(32, 16, (x, y) => x * 4 + y * 8, 'image/jpeg');
        const found = await engine.readFile('picture.jpg', bytes);
        equal(found.shape, [16, 32, 3]);
        near(
            found.data,
            Float32Array.from(
                pixels.filter((_, i) => i % 4 < 3),
                (v) => v / 255,
            ),
            0.04,
        );
    },

    '.png: one channel through the colour map': async (engine) => {
        const map = await engine.colours();
        equal([map.constructor.name, map.length], ['Uint8Array', 768]);
        const x = { data: Float32Array.from({ length: 256 }, (_, i) => i), shape: [1, 256] };
        const { data } = await decoded(await engine.writeFile('map.png', x));
        const rgb = data.filter((_, i) => i % 4 < 3);
        const worst = rgb.reduce((most, v, i) => Math.max(most, Math.abs(v - map[i])), 0);
        ok(worst <= 2, `colours of the picture differ by at most ${worst} of 255 from the map`);
        const other = await engine.colours('grey');
        ok(other.length === 768 && other.some((v, i) => v !== map[i]), 'another map has other colours');
        await rejects(engine.colours('nosuch'), /nosuch/);
    },

    '.csv: rows of numbers, with and without a header': async (engine) => {
        const plain = await engine.readFile('x.csv', encoder.encode('1,2.5,-3\n4,5e2,6\n'));
        equal(
            [plain.shape, Array.from(plain.data)],
            [
                [2, 3],
                [1, 2.5, -3, 4, 500, 6],
            ],
        );
        const named = await engine.readFile('x.csv', encoder.encode('a,b\r\n1,2\r\n3,4\r\n'));
        equal(
            [named.shape, Array.from(named.data)],
            [
                [2, 2],
                [1, 2, 3, 4],
            ],
        );
    },

    'files that are refused: where and why': async (engine) => {
        await rejects(engine.readFile('x.csv', encoder.encode('1,2\n3,four\n')), /four|2/);
        await rejects(engine.readFile('x.csv', encoder.encode('1,2\n3\n')), /2/);
        await rejects(engine.readFile('x.npy', encoder.encode('hello')), /x\.npy/);
        await rejects(engine.readFile('x.npy', npy('<f4', [3, 5], [1, 2])), /x\.npy|60|15/);
        await rejects(engine.readFile('x.png', new Uint8Array(100)), /x\.png/);
        await rejects(engine.readFile('x.txt', encoder.encode('1')), /x\.txt[^]*npy|npy[^]*x\.txt|\.txt/);
    },
};
