// The works of the comparison in the page, each by its contenders: { name: { run, check, close } }.
import { start } from '/package/index.js';

const engine = await start();
const tf = window.tf;
const G = window.GPU.GPU ?? window.GPU;
await tf.setBackend('webgl');
await tf.ready();
tf.env().set('WEBGL_CPU_FORWARD', false);

/** Numbers from -1 to 1, the same for the same seed. */
function random(count, seed) {
    let state = seed;
    return Float32Array.from({ length: count }, () => {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        return (state / 2 ** 31) - 1;
    });
}

/** The greatest difference over the greatest number that is expected. */
function error(got, expected) {
    let [difference, size] = [0, 0];
    expected.forEach((number, at) => {
        const d = Math.abs(number - got[at]);
        difference = d <= difference ? difference : d;
        size = Math.max(size, Math.abs(number));
    });
    return difference / size;
}

function must(name, found, most) {
    if (!(found <= most)) throw new Error(`${name}: expected an error of at most ${most}, got ${found}`);
}

const sync = (tensor) => tf.tidy(() => tf.slice(tf.reshape(tensor, [-1]), [0], [1]).dataSync()[0]);

/** A tensor on the device. */
function tensor(data, shape) {
    const made = tf.tidy(() => tf.add(tf.tensor(data, shape, 'float32'), 0));
    sync(made);
    return made;
}

/** gpu.js, one number a texel and four. */
function gpus() {
    return [false, true].map((packed) => {
        const gpu = new G({ mode: 'webgl2' });
        const kernel = (f, output, constants = {}) => gpu.createKernel(f, {
            output, constants, pipeline: true, immutable: true, precision: 'single', optimizeFloatMemory: packed, tactic: 'precision', loopMaxIterations: 4096,
        });
        const upload = (data, width, height) =>
            kernel(function (a) { return a[this.thread.y][this.thread.x]; }, [width, height])((G.input ?? window.GPU.input)(data, [width, height]));
        const first = gpu.createKernel(function (a) { return a[0][0]; }, { output: [1], precision: 'single' });
        const flat = (texture) => Float32Array.from(texture.toArray().flatMap((row) => [...row]));
        return { name: packed ? 'gpu.js packed' : 'gpu.js', gpu, kernel, upload, first, flat };
    });
}

/** A chain of steps on textures, each of which is freed when the next one is there. */
function chain(first, count, step, free) {
    let last = first;
    for (let at = 0; at < count; at++) {
        const next = step(last);
        if (last !== first) free(last);
        last = next;
    }
    return last;
}

const WORKS = {
    async 'pass over 2048 x 2048 floats, of 50'() {
        const shader = await (await fetch('/bench/pass.frag')).text();
        const x = { data: random(2048 * 2048, 1), shape: [2048, 2048] };
        const experiment = await engine.experiment({ shader, inputs: { x }, uniforms: { k: 0.999 }, feedback: { y: 'x' } });
        await experiment.step(1);
        const { data } = await experiment.read('y');
        must('pass', error(data, Float64Array.from(x.data, (number) => 0.999 * number + 0.25)), 1e-6);
        return { quadrille: { parts: 50, run: async () => { await experiment.step(50); await engine.finish(); }, close: () => experiment.close() } };
    },
    async 'matrix product, n = 512'() {
        const n = 512;
        const [a, b] = [random(n * n, 1), random(n * n, 2)];
        const row = Float64Array.from({ length: n }, (_, j) => a.subarray(0, n).reduce((sum, number, k) => sum + number * b[k * n + j], 0));
        const [A, B] = await Promise.all([a, b].map((data) => engine.uploadMatrix({ data, shape: [n, n] })));
        const c = await engine.matmul(A, B);
        must('quadrille', error((await c.read()).data.subarray(0, n), row), 1e-5);
        await c.close();
        const [P, Q] = [tensor(a, [n, n]), tensor(b, [n, n])];
        must('tfjs', error(tf.tidy(() => tf.matMul(P, Q).dataSync().subarray(0, n)), row), 1e-5);
        const quadrille = {
            run: async () => { const c = await engine.matmul(A, B); await engine.finish(); await c.close(); },
            close: () => Promise.all([A.close(), B.close()]),
        };
        const tfjs = { run: () => tf.tidy(() => sync(tf.matMul(P, Q))), close: () => tf.dispose([P, Q]) };
        return { quadrille, 'TensorFlow.js': tfjs, ...each(({ kernel, upload, first, flat, name }) => {
            const [P, Q] = [upload(a, n, n), upload(b, n, n)];
            const multiply = kernel(function (a, b) {
                let sum = 0;
                for (let k = 0; k < this.constants.n; k++) sum += a[this.thread.y][k] * b[k][this.thread.x];
                return sum;
            }, [n, n], { n });
            const once = multiply(P, Q);
            must(name, error(flat(once).subarray(0, n), row), 1e-5);
            once.delete();
            return { run: () => { const c = multiply(P, Q); first(c); c.delete(); } };
        }) };
    },
    async 'FFT of 1024 rows of 1024 complex numbers'() {
        const n = 1024;
        const [re, im] = [random(n * n, 1), random(n * n, 2)];
        const shape = [n, n];
        const x = await engine.upload({ re: { data: re, shape }, im: { data: im, shape } });
        const expected = Float64Array.from({ length: n }, (_, k) => {
            let sum = 0;
            for (let j = 0; j < n; j++) {
                const angle = (-2 * Math.PI * ((j * k) % n)) / n;
                sum += re[j] * Math.cos(angle) - im[j] * Math.sin(angle);
            }
            return sum;
        });
        const y = await engine.fft(x);
        must('quadrille', error((await y.read()).re.data.subarray(0, n), expected), 1e-5);
        await y.close();
        const c = tf.complex(tensor(re, shape), tensor(im, shape));
        return {
            quadrille: { run: async () => { const y = await engine.fft(x); await engine.finish(); await y.close(); }, close: () => x.close() },
            'TensorFlow.js': { seldom: true, run: () => tf.tidy(() => sync(tf.real(tf.fft(c)))), close: () => c.dispose() },
        };
    },
    async 'saxpy of 4194304 numbers, of 50'() {
        const [n, side, count] = [1 << 22, 2048, 50];
        const alpha = Math.fround(0.01);
        const [x, y] = [random(n, 1), random(n, 2)];
        const expected = Float64Array.from(y, (number, at) => number + count * alpha * x[at]);
        const shape = [side, side];
        const [X, Y] = await Promise.all([x, y].map((data) => engine.upload({ data, shape })));
        const steps = () => Promise.all(Array.from({ length: count }, () => engine.axpy(alpha, X, Y)));
        await steps();
        must('quadrille', error((await Y.read()).data, expected), 1e-5);
        const [P, Q, factor] = [tensor(x, shape), tensor(y, shape), tf.scalar(alpha)];
        const tfjs = () => chain(Q, count, (y) => tf.tidy(() => tf.add(tf.mul(P, factor), y)), (y) => y.dispose());
        const once = tfjs();
        must('tfjs', error(once.dataSync(), expected), 1e-5);
        once.dispose();
        return {
            quadrille: { parts: count, run: async () => { await steps(); await engine.finish(); }, close: () => Promise.all([X.close(), Y.close()]) },
            'TensorFlow.js': { parts: count, run: () => { const y = tfjs(); sync(y); y.dispose(); }, close: () => tf.dispose([P, Q]) },
            ...each(({ kernel, upload, first, flat, name }) => {
                const [P, Q] = [upload(x, side, side), upload(y, side, side)];
                const axpy = kernel(function (x, y, alpha) { return alpha * x[this.thread.y][this.thread.x] + y[this.thread.y][this.thread.x]; }, shape);
                const all = () => chain(Q, count, (y) => axpy(P, y, alpha), (y) => y.delete());
                const once = all();
                must(name, error(flat(once), expected), 1e-5);
                once.delete();
                return { parts: count, run: () => { const y = all(); first(y); y.delete(); } };
            }),
        };
    },
    async 'sum of 16777216 numbers'() {
        const [n, side] = [1 << 24, 4096];
        const x = random(n, 1).map(Math.abs);
        const expected = x.reduce((sum, number) => sum + number, 0);
        const X = await engine.upload({ data: x, shape: [side, side] });
        must('quadrille', Math.abs((await engine.sum(X)) / expected - 1), 1e-6);
        const P = tensor(x, [side, side]);
        must('tfjs', Math.abs(tf.tidy(() => tf.sum(P).dataSync()[0]) / expected - 1), 1e-5);
        return {
            quadrille: { run: () => engine.sum(X), close: () => X.close() },
            'TensorFlow.js': { run: () => tf.tidy(() => tf.sum(P).dataSync()[0]), close: () => P.dispose() },
            ...each(({ kernel, upload, flat, name }) => {
                const P = upload(x, side, side);
                const fold = (size) => kernel(function (a) {
                    let sum = 0;
                    for (let j = 0; j < 16; j++) for (let i = 0; i < 16; i++) sum += a[this.thread.y * 16 + j][this.thread.x * 16 + i];
                    return sum;
                }, [size, size]);
                const [one, two] = [fold(256), fold(16)];
                const run = () => {
                    const [t, u] = [one(P)].flatMap((t) => [t, two(t)]);
                    const sum = flat(u).reduce((sum, number) => sum + number, 0);
                    t.delete();
                    u.delete();
                    return sum;
                };
                must(name, Math.abs(run() / expected - 1), 1e-5);
                return { run };
            }),
        };
    },
    async 'Jacobi of nine bands, 1024 x 1024, of 100'() {
        const [side, count] = [1024, 100];
        const { bands, rhs } = system(side);
        const expected = jacobi(side, bands, rhs, 3);
        const packed = (...lists) => ({
            data: Float32Array.from({ length: lists.length * side * side }, (_, at) => lists[at % lists.length][Math.floor(at / lists.length)]),
            shape: [side, side, lists.length],
        });
        const shader = await (await fetch('/bench/jacobi.frag')).text();
        const zeros = { data: new Float32Array(side * side), shape: [side, side] };
        const inputs = { x: zeros, upper: packed(...bands.slice(0, 4)), lower: packed(...bands.slice(5)), middle: packed(bands[4], rhs) };
        const experiment = await engine.experiment({ shader, inputs, feedback: { next: 'x' } });
        await experiment.step(3);
        must('quadrille', error((await experiment.read('next')).data, expected), 1e-5);
        return {
            quadrille: { parts: count, run: async () => { await experiment.step(count); await engine.finish(); }, close: () => experiment.close() },
            ...each(({ kernel, upload, first, flat, name }) => {
                const [B, R, Z] = [bands.map((band) => upload(band, side, side)), upload(rhs, side, side), upload(zeros.data, side, side)];
                const step = kernel(function (b0, b1, b2, b3, b4, b5, b6, b7, b8, r, x) {
                    const i = this.thread.x, j = this.thread.y;
                    const l = Math.max(i - 1, 0), g = Math.min(i + 1, this.constants.last), u = Math.max(j - 1, 0), v = Math.min(j + 1, this.constants.last);
                    const d = b4[j][i], c = x[j][i];
                    const s = b0[j][i] * x[u][l] + b1[j][i] * x[u][i] + b2[j][i] * x[u][g] + b3[j][i] * x[j][l] + d * c +
                        b5[j][i] * x[j][g] + b6[j][i] * x[v][l] + b7[j][i] * x[v][i] + b8[j][i] * x[v][g];
                    return c + (r[j][i] - s) / d;
                }, [side, side], { last: side - 1 });
                const steps = (count) => chain(Z, count, (x) => step(...B, R, x), (x) => x.delete());
                const once = steps(3);
                must(name, error(flat(once), expected), 1e-5);
                once.delete();
                return { parts: count, run: () => { const x = steps(count); first(x); x.delete(); } };
            }),
        };
    },
};

/** Nine bands, each coupling within the grid, with a dominant diagonal, and a right-hand side. */
function system(side) {
    const numbers = random(10 * side * side, 7);
    const bands = Array.from({ length: 9 }, () => new Float32Array(side * side));
    for (let at = 0; at < side * side; at++) {
        const [x, y] = [at % side, Math.floor(at / side)];
        let sum = 1;
        for (let band = 0; band < 9; band++) {
            const [i, j] = [x + (band % 3) - 1, y + Math.floor(band / 3) - 1];
            if (band === 4 || i < 0 || j < 0 || i >= side || j >= side) continue;
            bands[band][at] = numbers[10 * at + band];
            sum += Math.abs(bands[band][at]);
        }
        bands[4][at] = sum;
    }
    return { bands, rhs: Float32Array.from({ length: side * side }, (_, at) => numbers[10 * at + 9]) };
}

/** Steps of Jacobi in double precision. */
function jacobi(side, bands, rhs, count) {
    let x = new Float64Array(side * side);
    for (let step = 0; step < count; step++) {
        x = x.map((old, at) => {
            const [i, j] = [at % side, Math.floor(at / side)];
            let sum = rhs[at];
            for (let band = 0; band < 9; band++) {
                const [k, l] = [i + (band % 3) - 1, j + Math.floor(band / 3) - 1];
                if (k >= 0 && l >= 0 && k < side && l < side) sum -= bands[band][at] * x[l * side + k];
            }
            return old + sum / bands[4][at];
        });
    }
    return x;
}

/** Both forms of gpu.js as contenders. */
function each(make) {
    return Object.fromEntries(gpus().map((one) => [one.name, { ...make(one), close: () => one.gpu.destroy() }]));
}

let contenders = {};
window.works = Object.keys(WORKS);
window.begin = async (work) => {
    contenders = await WORKS[work]();
    // Programs are compiled, and memory is touched, before the first time counts.
    for (const { run } of Object.values(contenders)) await run();
    return Object.keys(contenders);
};
window.time = async (name) => {
    const { run, parts = 1 } = contenders[name];
    const began = performance.now();
    await run();
    return (performance.now() - began) / parts;
};
window.end = async () => {
    for (const { close } of Object.values(contenders)) await close();
};
