// Systems and products, against loops in double precision.
import { array, equal, near, ok, rejects, residual } from './check.js';

/** The stencil of 2 d neighbours with -1 around `centre`, zeros around the grid; the last axis runs fastest. */
function laplacian(shape) {
    const strides = shape.map((_, axis) => shape.slice(axis + 1).reduce((a, b) => a * b, 1));
    return (x) =>
        x.map((value, i) => {
            let sum = 2 * shape.length * value;
            for (const [axis, stride] of strides.entries()) {
                const place = Math.floor(i / stride) % shape[axis];
                if (place > 0) sum -= x[i - stride];
                if (place < shape[axis] - 1) sum -= x[i + stride];
            }
            return sum;
        });
}

const ones = (count) => new Float64Array(count).fill(1);

/** A tridiagonal matrix of 2.5 and -1 in Matrix Market's form: its lower triangle. */
function tridiagonal(n) {
    const lines = ['%%MatrixMarket matrix coordinate real symmetric', `${n} ${n} ${2 * n - 1}`];
    for (let i = 1; i <= n; i++) {
        lines.push(`${i} ${i} 2.5`);
        if (i > 1) lines.push(`${i} ${i - 1} -1`);
    }
    return lines.join('\n') + '\n';
}

async function product(engine, [m, k, n], options, tolerance) {
    const [a, b] = [array([m, k], m + 2), array([k, n], n + 1)];
    const c = await engine.matmul(a, b, options);
    equal(c.shape, [m, n]);
    const expected = new Float64Array(m * n);
    for (let i = 0; i < m; i++)
        for (let p = 0; p < k; p++) for (let j = 0; j < n; j++) expected[i * n + j] += a.data[i * k + p] * b.data[p * n + j];
    near(c.data, expected, tolerance, `[${m}, ${k}] times [${k}, ${n}] by ${options?.method ?? 'default'}`);
}

export const linear = {
    'a system on a grid, of ones': async (engine) => {
        const [width, height] = [57, 101];
        const found = await engine.solve(`poisson5:${width}x${height}`, null, { tolerance: 1e-11 });
        equal(found.shape, [height, width]);
        const computed = residual(laplacian([height, width]), found.x, ones(width * height));
        ok(found.converged && found.ending === 'converged', `it has converged: ${found.ending}`);
        ok(computed <= 1e-11 && Math.abs(computed - found.residual) < 1e-13, `the residual is ${computed}, said to be ${found.residual}`);
        ok(found.x instanceof Float64Array, 'in double precision');
        return `${found.iterations} iterations by ${found.method}`;
    },

    'a singular system, whose b has a mean': async (engine) => {
        const n = 12 * 9;
        for (const matrix of ['neumann5:12x9', 'poisson7:6x6x3:sides=periodic']) {
            const b = Float64Array.from({ length: n }, (_, i) => 1 + Math.sin(i));
            await rejects(engine.solve(matrix, b), /the mean of the right-hand side is .*`project`/);
            const { residual: given, projectedResidual, converged } = await engine.solve(matrix, b, { project: true });
            ok(converged && projectedResidual <= 1e-8 && given > 0.1, `${matrix}: ${projectedResidual}, ${given}`);
            const mean = b.reduce((a, b) => a + b, 0) / n;
            const found = await engine.solve(matrix, b.map((x) => x - mean));
            ok(found.converged && found.projectedResidual === null, `${matrix}: ${found.residual}`);
        }
    },

    'a system in three dimensions': async (engine) => {
        const found = await engine.solve('poisson7:24', null, { tolerance: 1e-11 });
        equal(found.shape, [24, 24, 24]);
        const computed = residual(laplacian([24, 24, 24]), found.x, ones(24 ** 3));
        ok(computed <= 1e-11, `the residual is ${computed}`);
        return `${found.iterations} iterations, ${found.levels} levels`;
    },

    'a right-hand side, a first guess, history and progress': async (engine) => {
        const b = Float64Array.from({ length: 63 * 31 }, (_, i) => Math.sin(i));
        const looks = [];
        const found = await engine.solve('poisson5:63x31', b, {
            tolerance: 1e-10,
            method: 'cg',
            preconditioner: 'jacobi',
            progress: (look) => looks.push(look),
        });
        ok(residual(laplacian([31, 63]), found.x, b) <= 1e-10, 'the residual of the right-hand side');
        ok(found.history.length > 1 && looks.length > 1, `looks: ${found.history.length} in the history, ${looks.length} told`);
        ok(
            looks.every(({ iteration, residual, milliseconds }) => Number.isFinite(iteration + residual + milliseconds)),
            'looks have numbers',
        );
        equal([found.method, found.preconditioner], ['cg', 'jacobi']);
        const again = await engine.solve('poisson5:63x31', b, { tolerance: 1e-10, method: 'cg', preconditioner: 'jacobi', x0: found.x });
        ok(
            again.converged && again.iterations < found.iterations / 4,
            `from its solution ${again.iterations} iterations, at first ${found.iterations}`,
        );
    },

    'another call goes on from a checkpoint': async (engine) => {
        const b = Float64Array.from({ length: 63 * 31 }, (_, i) => Math.sin(i));
        const options = { method: 'cg', preconditioner: 'none' };
        const kept = [];
        const checkpoint = (reached) => kept.push(reached);
        const solve = (more) => engine.solve('poisson5:63x31', b, { ...options, ...more });
        await rejects(solve({ iterations: 60, checkpoint, every: 0 }), /after 60 iterations/, 'convergence');
        ok(kept.length > 1 && kept.every(({ iteration }, at) => iteration > (kept[at - 1]?.iteration ?? 0)), `${kept.length} checkpoints`);
        const [first, last] = [kept[0], kept.at(-1)].map(({ x }) => residual(laplacian([31, 63]), x, b));
        ok(last < first, `the residual falls from ${first} to ${last}`);
        const [whole, rest] = [await solve({}), await solve({ x0: kept.at(-1).x })];
        ok(rest.iterations < whole.iterations, `${rest.iterations} iterations of ${whole.iterations}`);
        const before = kept.length;
        await solve({ checkpoint, every: 3600 });
        equal(kept.length, before);
        await rejects(solve({ checkpoint: 'kept' }), /solve: checkpoint: expected a function, got kept/);
        await rejects(solve({ progress: 3 }), /solve: progress: expected a function, got 3/);
        await rejects(solve({ checkpoint, every: -1 }), /every: expected a number of seconds, at least 0; got -1/);
        await rejects(solve({ every: 5 }), /every: for `checkpoint` alone, which is not given/);
        const two = Float64Array.of(...b, ...b);
        await rejects(engine.solve('poisson5:63x31', two, { checkpoint }), /checkpoint is of one right-hand side, got 2/);
        return `${kept.length} checkpoints`;
    },

    'each method': async (engine) => {
        const said = [];
        for (const method of ['cg', 'bicgstab', 'multigrid', 'mgcg', 'fft']) {
            const found = await engine.solve('poisson5:31', null, { tolerance: 1e-9, method });
            ok(residual(laplacian([31, 31]), found.x, ones(961)) <= 1e-9, `${method} meets the tolerance`);
            said.push(`${found.method} ${found.iterations}`);
        }
        return said.join(', ');
    },

    'options of the solver': async (engine) => {
        const solve = (options) => engine.solve('poisson5:9', null, options);
        const known = {
            method: ['cg', 'CG'], preconditioner: ['multigrid', 1], smoother: ['line-jacobi', 'zebra'], coarsen: ['both', true],
            project: [true, 'yes'], precision: ['single', 'double'], tolerance: [1e-4, -1], iterations: [100, 1.5], checkEvery: [1, 0],
        };
        for (const [name, [right, wrong]] of Object.entries(known)) {
            const multigrid = ['smoother', 'coarsen'].includes(name) ? { method: 'multigrid' } : {};
            ok((await solve({ tolerance: 1e-4, ...multigrid, [name]: right })).converged, `${name}: ${right}`);
            await rejects(solve({ [name]: wrong }), new RegExp(`solve: ${name}: expected .*; got `));
        }
        await rejects(solve({ tolerence: 1 }), /unknown option `tolerence`: did you mean `tolerance`/);
        await rejects(solve({ tolerence: undefined }), /unknown option `tolerence`: did you mean `tolerance`/);
        ok((await solve({ tolerance: undefined, method: null })).converged, 'options that are absent');
        await rejects(solve({ residualOn: 'host' }), /unknown option `residualOn`/);
    },

    'options of products and of searches': async (engine) => {
        const matrix = { data: new Float32Array([1, 2, 3, 4]), shape: [2, 2] };
        const product = await engine.matmul(matrix, matrix, { method: 'element', tile: '1x1', order: 'morton', transpose: 'a', padding: 0 });
        equal([...product.data], [7, 10, 15, 22]);
        await rejects(engine.matmul(matrix, matrix, { tile: '0x1' }), /matmul: tile: expected a width and a height/);
        await rejects(engine.matmul(matrix, matrix, { methode: 'sp' }), /did you mean `method`/);
        await rejects(engine.sat('p cnf 1 1\n1 0\n', { candidates: 0 }), /sat: candidates: expected an integer from 1 on; got 0/);
        await rejects(engine.sat('p cnf 1 1\n1 0\n', { engine: 'gpu' }), /sat: engine: expected one of: fragment/);
    },

    'every option, misspelt and of another kind': async (engine) => {
        const tables = await (await fetch(new URL('options.json', import.meta.url))).json();
        const matrix = { data: new Float32Array([1, 2, 3, 4]), shape: [2, 2] };
        const program = '!!VP1.0\nMOV o[COL0], v[1];\nEND';
        const shader = 'out float y; void main() { y = 1.0; }';
        const calls = {
            solve: (options) => engine.solve('poisson5:3', null, options),
            matmul: (options) => engine.matmul(matrix, matrix, options),
            sat: (options) => engine.sat('p cnf 1 1\n1 0\n', options),
            vp: (options) => engine.vp(program, [new Float32Array(4)], options),
            experiment: (options) => engine.experiment({ shader, ...options }),
        };
        const wrong = {
            flag: ['yes', 1], integer: [-1, 1.5, '1'], number: [NaN, 'x', true], name: ['no such', 1, true], sides: [[0, 4], 'x', 3],
            names: ['x', [1], 7], text: [1, true],
        };
        let count = 0;
        for (const [name, options] of Object.entries(tables)) {
            for (const [option, kind] of Object.entries(options)) {
                for (const value of wrong[kind]) {
                    await rejects(calls[name]({ [option]: value }), new RegExp(`: ${option}: expected .*; got `));
                    count += 1;
                }
                await rejects(calls[name]({ [`${option}q`]: 1 }), new RegExp(`unknown option \`${option}q\`: did you mean \`${option}\``));
            }
        }
        return `${count} values`;
    },

    'what did not converge is an error with what was reached': async (engine) => {
        const failed = async (b) => {
            const options = { tolerance: 1e-12, method: 'jacobi', iterations: 10 };
            const error = await engine.solve('poisson5:63', b, options).catch((error) => error);
            equal([error.name, error.kind, error.ending], ['ConvergenceError', 'convergence', 'not converged']);
            const { solution, x } = error;
            ok(x instanceof Float64Array && x === solution.x && error.residual === solution.residual, 'x and its residual');
            return error;
        };
        const one = await failed(null);
        equal([one.solution.converged, one.solution.iterations, one.x.length], [false, 10, 63 * 63]);
        const computed = residual(laplacian([63, 63]), one.x, ones(63 * 63));
        ok(one.residual > 1e-3 && Math.abs(computed - one.residual) < 1e-12, `the residual is ${computed}, said to be ${one.residual}`);
        ok(/^after 10 iterations the residual is /.test(one.message), one.message);
        // Zeros, for which nothing is left to do, are not named, and are solved for after it.
        const two = await failed(Float64Array.of(...ones(63 * 63), ...new Float64Array(63 * 63)));
        ok(two.message.startsWith('row 0 of b: '), two.message);
        equal(two.solution.rightHandSides.map(({ ending }) => ending), ['not converged', 'converged']);
    },

    'several right-hand sides': async (engine) => {
        const n = 31 * 17;
        const b = Float64Array.from({ length: 3 * n }, (_, i) => Math.sin(i));
        const found = await engine.solve('poisson5:31x17', b, { tolerance: 1e-10 });
        equal([found.shape, found.rightHandSides.length], [[3, 17, 31], 3]);
        const of = (numbers, side) => numbers.subarray(side * n, (side + 1) * n);
        for (const side of [0, 1, 2]) {
            const computed = residual(laplacian([17, 31]), of(found.x, side), of(b, side));
            const told = found.rightHandSides[side].residual;
            ok(computed <= 1e-10 && Math.abs(computed - told) < 1e-13, `${side}: the residual is ${computed}, said to be ${told}`);
            ok(found.history.some((look) => look.side === side), `looks of ${side}`);
        }
        const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);
        equal(sum(found.rightHandSides.map(({ iterations }) => iterations)), found.iterations);
        for (const [parts, whole] of [[found.times, found.milliseconds], [found.setupTimes, found.setupMilliseconds]]) {
            ok(whole > 0 && Math.abs(sum(Object.values(parts)) - whole) < 1e-6 * whole, `parts of ${whole}: ${JSON.stringify(parts)}`);
        }
        const again = await engine.solve('poisson5:31x17', b, { tolerance: 1e-9, x0: found.x });
        equal(again.iterations, 0);
        await rejects(engine.solve('poisson5:31x17', b.subarray(1)), /b: expected 527 numbers, .*; got 1580/);
        await rejects(engine.solve('poisson5:31x17', b, { x0: of(b, 0) }), /x0: expected as many numbers as b has, 1581, got 527/);
    },

    'a Matrix Market text': async (engine) => {
        const n = 321;
        const b = Float64Array.from({ length: n }, (_, i) => Math.cos(i));
        const { x } = await engine.solve(tridiagonal(n), b, { tolerance: 1e-12 });
        const apply = (x) => x.map((v, i) => 2.5 * v - (x[i - 1] ?? 0) - (x[i + 1] ?? 0));
        ok(residual(apply, x, b) <= 1e-12, `the residual is ${residual(apply, x, b)}`);
    },

    'systems that are refused': async (engine) => {
        await rejects(engine.solve('poisson6:9'), /poisson6/);
        await rejects(engine.solve('poisson5:9', new Float64Array(80)), /81[^]*80|80[^]*81/);
        await rejects(engine.solve('poisson5:9', null, { method: 'cgs' }), /cgs/);
        await rejects(engine.solve('poisson5:9', null, { tolerence: 1 }), /tolerence/);
        await rejects(engine.solve('%%MatrixMarket matrix coordinate real general\n2 2 1\n3 1 1.0\n'), /3|line/);
    },

    'products of matrices of awkward shapes': async (engine) => {
        for (const shape of [
            [1, 1, 1],
            [3, 5, 2],
            [16, 16, 16],
            [37, 61, 29],
            [128, 1, 7],
            [65, 130, 33],
        ])
            await product(engine, shape, undefined, 2e-6);
    },

    'products by each method': async (engine) => {
        for (const method of ['cp', 'sp']) await product(engine, [36, 44, 52], { method }, 2e-6);
    },

    'matrices that do not fit': async (engine) => {
        await rejects(engine.matmul(array([3, 4]), array([5, 6])), /4[^]*5/);
        await rejects(engine.matmul(array([3, 4]), array([4, 3]), { method: 'strassen' }), /strassen/);
    },
};
