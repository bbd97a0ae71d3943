// The lesson on multigrid: residuals of three methods, the levels, and the smooth and the rough part of an error.

import { h } from '../common/dom.js';
import { FieldView } from '../common/field-view.js';
import { linePlot } from '../common/plot.js';
import { code, lesson, randoms, short, svg, table } from './lesson.js';
import shader from './shaders/sweep.frag';

const TOLERANCE = 1e-8;
// The steps that the plot shows, and the most that a method may take.
const SHOWN = 100;
const MOST = 500;
const SWEEPS = 8;
const METHODS = [
    { name: 'Multigrid', options: { method: 'multigrid', checkEvery: 1 } },
    { name: 'Conjugate gradients', options: { method: 'cg', preconditioner: 'none', checkEvery: 5 } },
    { name: 'Jacobi', options: { method: 'jacobi', checkEvery: 10 } },
];

const figure = document.getElementById('figure');
const plotPlace = h('div');
const steps = h('div');
const grids = h('figure');
const fields = h('div.panels');
const parts = h('div');
const note = h('p.soft', {}, 'The residual is the norm of b − A x over that of b. Conjugate gradients reduce the error in another norm in '
    + 'every step; their residual may rise before it falls.');
const sweepsNote = h('p.soft', {}, `The work of ${SWEEPS} sweeps is about that of a cycle, which has four on each level but the last.`);
figure.append(plotPlace, note, steps, grids, h('h3', {}, 'An error and its two parts'), sweepsNote, fields, parts);
const plot = linePlot(plotPlace, { x: 'steps', y: 'residual', log: true, label: `Residuals of the first ${SHOWN} steps` });
const views = ['At the start', `After ${SWEEPS} sweeps of damped Jacobi`, 'After one cycle of multigrid'].map((name) => {
    const place = h('figure', {}, h('figcaption', {}, name));
    fields.append(place);
    const view = new FieldView(place, { label: `Error: ${name}`, size: 220 });
    view.setRange([-1, 1]);
    return { name, view };
});

function showResiduals(n, solutions) {
    plot.set(solutions.map(({ history }, i) => {
        const looks = history.filter(({ iteration }) => iteration <= SHOWN);
        return { name: METHODS[i].name, xs: looks.map(({ iteration }) => iteration), ys: looks.map(({ residual }) => residual) };
    }));
    table(steps, {
        caption: `${n} × ${n} points, to a residual of ${TOLERANCE} or until ${MOST} steps`,
        columns: ['', 'steps', 'residual', 'milliseconds'],
        rows: solutions.map(({ iterations, residual, converged, milliseconds }, i) => [
            METHODS[i].name, counted(iterations, converged), residual.toExponential(1), short(Math.round(milliseconds)),
        ]),
    });
}

const counted = (iterations, converged) => (converged ? String(iterations) : `more than ${iterations}`);

/** The grids of the levels: every second point along each axis, half as many of them rounded down. */
function showLevels(n, count) {
    const sides = Array.from({ length: count }, (_, level) => n >> level);
    const share = sides.reduce((sum, side) => sum + side * side, 0) / (n * n);
    const words = `The levels of multigrid: ${count}. Together they have ${short(share)} times the points of the first. `
        + 'The last one is solved directly.';
    const drawn = sides.map((side) => h('figure', {}, grid(side), h('figcaption', {}, `${side} × ${side}`)));
    grids.replaceChildren(h('figcaption', {}, words), h('div.panels', {}, drawn));
}

// A point is where two lines cross.
function grid(side) {
    const lines = Array.from({ length: side }, (_, i) => ((i + 1) * 100) / (side + 1)).map((at) => `M${at} 0V100M0 ${at}H100`);
    return svg('svg', { viewBox: '0 0 100 100', width: 130, height: 130, 'aria-hidden': 'true' },
        svg('path', { d: lines.join(''), class: 'grid', 'stroke-width': Math.min(0.6, 20 / side) }),
        svg('rect', { width: 100, height: 100, class: 'frame' }));
}

/** An error with a smooth part, three waves over the whole grid, and a rough part: random numbers minus the mean of their neighbours. */
function firstError(n) {
    const noise = product(Float64Array.from({ length: n * n }, randoms(7)).map((number) => number - 0.5), n);
    const error = new Float64Array(n * n);
    const wave = (k, place) => Math.sin((Math.PI * k * (place + 1)) / (n + 1));
    for (let row = 0; row < n; row++) {
        for (let column = 0; column < n; column++) {
            const smooth = wave(1, column) * wave(1, row) + 0.6 * wave(3, column) * wave(2, row) - 0.4 * wave(2, column) * wave(4, row);
            error[row * n + column] = Math.fround(0.45 * smooth + 0.15 * noise[row * n + column]);
        }
    }
    return error;
}

/** A x for poisson5: four times a point minus its neighbours, zeros around the grid. */
function product(x, n) {
    const at = (column, row) => (column >= 0 && row >= 0 && column < n && row < n ? x[row * n + column] : 0);
    return Float64Array.from(x, (here, i) => {
        const [column, row] = [i % n, Math.floor(i / n)];
        return 4 * here - at(column - 1, row) - at(column + 1, row) - at(column, row - 1) - at(column, row + 1);
    });
}

/** The norms of the smooth and the rough part: waves of fewer than n / 2 half periods along both axes, and all others. */
function norms(error, n) {
    const half = Math.floor(n / 2);
    const value = (k, i) => Math.sqrt(2 / (n + 1)) * Math.sin((Math.PI * (k + 1) * (i + 1)) / (n + 1));
    const waves = Array.from({ length: half }, (_, k) => Float64Array.from({ length: n }, (_, i) => value(k, i)));
    const dot = (wave, numbers) => wave.reduce((sum, height, i) => sum + height * numbers[i], 0);
    const rows = Array.from({ length: n }, (_, row) => error.subarray(row * n, (row + 1) * n));
    let smooth = 0;
    for (const wave of waves) {
        const along = rows.map((row) => dot(wave, row));
        for (const other of waves) smooth += dot(other, along) ** 2;
    }
    const all = error.reduce((sum, number) => sum + number * number, 0);
    return { smooth: Math.sqrt(smooth), rough: Math.sqrt(Math.max(0, all - smooth)), all: Math.sqrt(all) };
}

/** What a solver has reached, which is shown as well where it did not converge. */
const reached = (solution) => solution.catch((error) => {
    if (error.kind !== 'convergence') throw error;
    return error.solution;
});

/** The error at the start, after sweeps by the shader, and after a cycle for the system that has it as its solution. */
async function errors(engine, n) {
    const start = firstError(n);
    const sweeps = await engine.experiment({
        shader, name: 'sweep.frag', inputs: { error: { data: Float32Array.from(start), shape: [n, n] } }, feedback: { next: 'error' },
    });
    await sweeps.step(SWEEPS);
    const swept = Float64Array.from((await sweeps.read()).data);
    await sweeps.close();
    const cycle = engine.solve(`poisson5:${n}`, product(start, n), { method: 'multigrid', iterations: 1, tolerance: TOLERANCE });
    const { x } = await reached(cycle);
    return [start, swept, start.map((value, i) => value - x[i])];
}

function showErrors(n, found) {
    const measured = found.map((error) => norms(error, n));
    const whole = measured[0].all;
    found.forEach((error, i) => views[i].view.show({ data: Float32Array.from(error), shape: [n, n] }));
    table(parts, {
        caption: `Norms of the parts of the error, relative to the whole at the start, for n = ${n}`,
        columns: ['', 'smooth part', 'rough part'],
        rows: measured.map(({ smooth, rough }, i) => [views[i].name, (smooth / whole).toPrecision(2), (rough / whole).toPrecision(2)]),
    });
}

// Each method is shown when it is there. The fast one comes first, and the errors before those that take long.
async function draw(engine, n, _, stale) {
    const solutions = [];
    for (const { options } of METHODS) {
        if (stale()) return '';
        const found = engine.solve(`poisson5:${n}`, null, { tolerance: TOLERANCE, iterations: MOST, ...options });
        solutions.push(await reached(found));
        showResiduals(n, solutions);
        if (solutions.length > 1) continue;
        showLevels(n, solutions[0].levels);
        showErrors(n, await errors(engine, n));
    }
    const counts = solutions.map(({ iterations, converged }, i) => `${METHODS[i].name} ${counted(iterations, converged)}`);
    return `n = ${n}. Steps: ${counts.join(', ')}.`;
}

lesson({ label: 'Points along a side, n', values: [31, 47, 63, 95, 127, 191, 255], initial: 63, draw });
code(document.getElementById('code'), {
    caption: 'A sweep', shader, inputs: { error: 'random:63x63' }, feedback: { next: 'error' },
});
