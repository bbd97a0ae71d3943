// Files of NumPy, as far as the tests need them.
import assert from 'node:assert/strict';

const TYPES = { '<f4': Float32Array, '<f8': Float64Array, '<i4': Int32Array, '<u4': Uint32Array };

/** The numbers and the shape of a file, and where the numbers start. */
export function readNpy(bytes) {
    assert.equal(bytes.subarray(1, 6).toString('latin1'), 'NUMPY', 'a file of NumPy');
    const start = 10 + bytes.readUInt16LE(8);
    const header = bytes.subarray(10, start).toString('latin1');
    const type = TYPES[header.match(/'descr': '(.*?)'/)[1]];
    const shape = header
        .match(/'shape': \((.*?)\)/)[1]
        .split(',')
        .map((x) => x.trim())
        .filter(Boolean)
        .map(Number);
    assert.match(header, /'fortran_order': False/);
    const data = new type(new Uint8Array(bytes.subarray(start)).buffer);
    assert.equal(
        data.length,
        shape.reduce((a, b) => a * b, 1),
        'numbers of the shape',
    );
    return { data, shape, start };
}

/** The bytes of a file of floats, as NumPy and the native command write it. */
export function writeNpy(shape, values, type = Float32Array) {
    const sides = shape.length === 1 ? `${shape[0]},` : shape.join(', ');
    const header = `{'descr': '<f${type.BYTES_PER_ELEMENT}', 'fortran_order': False, 'shape': (${sides}), }`;
    const padded = header.padEnd(Math.ceil((header.length + 11) / 64) * 64 - 11) + '\n';
    const start = Buffer.from([0x93, ...Buffer.from('NUMPY'), 1, 0, padded.length & 255, padded.length >> 8]);
    return Buffer.concat([start, Buffer.from(padded, 'latin1'), Buffer.from(type.from(values).buffer)]);
}

const BITS = new DataView(new ArrayBuffer(4));

/** The number of a float in the order of all floats. */
function place(x) {
    BITS.setFloat32(0, x);
    const bits = BITS.getInt32(0);
    return bits < 0 ? -(bits & 0x7fffffff) : bits;
}

/** How many floats lie from one to the other; 0 between NaNs. */
export function ulps(a, b) {
    if (Number.isNaN(a) || Number.isNaN(b)) return Number.isNaN(a) && Number.isNaN(b) ? 0 : Infinity;
    return Math.abs(place(a) - place(b));
}
