// Signals, roots of unity, and the Fourier transform by its definition, in double precision. Complex numbers lie as pairs in one array.
import { randoms } from './lesson.js';

const real = (count, of) => Float32Array.from({ length: 2 * count }, (_, i) => (i % 2 ? 0 : of(i >> 1, count)));
const cosine = (periods) => (j, count) => Math.cos((2 * Math.PI * periods * j) / count);

function noise(count) {
    const random = randoms(count);
    return Float32Array.from({ length: 2 * count }, () => 2 * random() - 1);
}

/** Signals by name; `of(count)` gives that many complex numbers. */
export const SIGNALS = [
    { name: 'a cosine of one period', of: (count) => real(count, cosine(1)) },
    { name: 'a constant', of: (count) => real(count, () => 1) },
    { name: 'one pulse', of: (count) => real(count, (j) => Number(j === 1)) },
    { name: 'a square wave', of: (count) => real(count, (j) => (j < count / 2 ? 1 : -1)) },
    { name: 'random complex numbers', of: noise },
];

/** exp(-2 pi i k / count) for k from 0 to count - 1. */
export function rootsOf(count) {
    return Float64Array.from({ length: 2 * count }, (_, i) => {
        const angle = (2 * Math.PI * (i >> 1)) / count;
        return i % 2 ? -Math.sin(angle) : Math.cos(angle);
    });
}

/** The transform by a loop for each of its sums. */
export function dft(signal) {
    const count = signal.length / 2;
    const roots = rootsOf(count);
    const sums = new Float64Array(2 * count);
    for (let k = 0; k < count; k++) {
        for (let j = 0; j < count; j++) {
            const root = 2 * ((j * k) % count);
            sums[2 * k] += signal[2 * j] * roots[root] - signal[2 * j + 1] * roots[root + 1];
            sums[2 * k + 1] += signal[2 * j] * roots[root + 1] + signal[2 * j + 1] * roots[root];
        }
    }
    return sums;
}

const size = (numbers, k) => Math.hypot(numbers[2 * k], numbers[2 * k + 1]);

/** The largest difference of two transforms, over the largest number of the second. */
export function difference(got, exact) {
    const apart = got.map((number, i) => number - exact[i]);
    const largest = (numbers) => Array.from({ length: numbers.length / 2 }, (_, k) => size(numbers, k)).reduce((a, b) => Math.max(a, b), 0);
    return largest(Float64Array.from(apart)) / largest(exact);
}
