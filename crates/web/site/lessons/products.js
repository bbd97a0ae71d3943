// The lesson on the packing of matrices: which texels a fragment of a product reads, and how long products take here.

import { h } from '../common/dom.js';
import { code, lesson, median, randoms, short, svg, table } from './lesson.js';
import columnPacked from './shaders/column_packed.frag';
import submatrixPacked from './shaders/submatrix_packed.frag';

// The width and height of a texel in numbers, and what a step along k reads of A and of B in texels.
const PACKINGS = {
    cp: { name: 'Column packed (CP)', width: 1, height: 4, step: { a: 4, b: 1 } },
    sp: { name: 'Submatrix packed (SP)', width: 2, height: 2, step: { a: 1, b: 1 } },
};
const METHODS = Object.keys(PACKINGS);
// Rounds of measurement, and the milliseconds after which no further one begins.
const ROUNDS = 5;
const MOST_TIME = 1500;
const SIDE = 150;
const GAP = 12;
const MARGIN = 16;
// Finer texels are not drawn one by one.
const FINEST = 3;

/** The drawing of a packing. A fragment of C is chosen by the pointer or by the arrow keys. */
class Drawing {
    constructor(container, packing) {
        this.packing = packing;
        this.place = [0.6, 0.4];
        const size = 2 * SIDE + GAP + MARGIN;
        const viewBox = `${-MARGIN} ${-MARGIN} ${size + 1} ${size + 1}`;
        const role = { role: 'application', 'aria-roledescription': 'drawing', tabindex: 0 };
        this.svg = svg('svg', { viewBox, width: size, class: 'product', ...role });
        this.caption = h('figcaption', { 'aria-live': 'polite' });
        container.append(h('figure', {}, h('strong', {}, packing.name), this.svg, this.caption));
        this.svg.addEventListener('keydown', (event) => this.#key(event));
        for (const name of ['pointermove', 'pointerdown']) this.svg.addEventListener(name, (event) => this.#point(event));
    }

    show(n) {
        this.n = n;
        const { width, height } = this.packing;
        this.texels = { columns: n / width, rows: n / height };
        const [column, row] = this.#fragment();
        const { a, b } = reads(this.packing, n);
        // Where A, B and C lie: A to the left of C, and B above it.
        const [left, top, next] = [0, 0, SIDE + GAP];
        this.svg.replaceChildren(
            ...this.#matrix('A', left, next), ...this.#matrix('B', next, top), ...this.#matrix('C', next, next),
            this.#texels(left, next, 0, row, this.texels.columns, 1, 'read'),
            this.#texels(left, next, 0, row, this.packing.step.a, 1, 'first'),
            this.#texels(next, top, column, 0, 1, this.texels.rows, 'read'),
            this.#texels(next, top, column, 0, 1, this.packing.step.b, 'first'),
            this.#texels(next, next, column, row, 1, 1, 'written'),
        );
        this.caption.textContent = `The fragment in column ${column}, row ${row} of C reads ${a} texels of A and ${b} of B.`;
        this.svg.setAttribute('aria-label', `${this.packing.name}, n = ${n}. Arrow keys choose a fragment of C.`);
    }

    #fragment() {
        const { columns, rows } = this.texels;
        return [Math.min(columns - 1, Math.floor(this.place[0] * columns)), Math.min(rows - 1, Math.floor(this.place[1] * rows))];
    }

    // A frame with the lines between texels, and the name above or beside it.
    #matrix(name, x, y) {
        const { columns, rows } = this.texels;
        const across = between(columns).map((place) => `M${x + place} ${y}v${SIDE}`);
        const down = between(rows).map((place) => `M${x} ${y + place}h${SIDE}`);
        return [
            svg('path', { d: [...across, ...down].join('') || 'M0 0', class: 'lines' }),
            svg('rect', { x, y, width: SIDE, height: SIDE, class: 'frame' }),
            svg('text', { x: x + 2, y: y - 3 }, name),
        ];
    }

    #texels(x, y, column, row, columns, rows, kind) {
        const [width, height] = [SIDE / this.texels.columns, SIDE / this.texels.rows];
        return svg('rect', { x: x + column * width, y: y + row * height, width: columns * width, height: rows * height, class: kind });
    }

    #key(event) {
        const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
        if (!step) return;
        event.preventDefault();
        const { columns, rows } = this.texels;
        this.place = this.#fragment().map((place, axis) => (place + step[axis] + 0.5) / [columns, rows][axis]).map(inside);
        this.show(this.n);
    }

    #point(event) {
        const { left, top, width } = this.svg.getBoundingClientRect();
        const scale = (2 * SIDE + GAP + MARGIN + 1) / width;
        const place = [event.clientX - left, event.clientY - top].map((pixels) => (pixels * scale - MARGIN - SIDE - GAP) / SIDE);
        if (!this.n || place.some((value) => value < 0 || value >= 1)) return;
        this.place = place;
        this.show(this.n);
    }
}

// The places between texels, none where they would be too dense.
const between = (count) => (SIDE / count < FINEST ? [] : Array.from({ length: count - 1 }, (_, i) => ((i + 1) * SIDE) / count));
const inside = (value) => Math.min(0.9999, Math.max(0, value));

// The texels of A and of B that a fragment reads.
const reads = ({ width, height }, n) => ({ a: n / width, b: n / height });

const figure = document.getElementById('figure');
const panels = h('div.panels');
const results = h('div');
const legend = h('p.soft', {}, 'Boxes are texels. Framed: what the chosen fragment reads. Filled: its first step along k, and the texel of '
    + 'C that it writes. The pointer or the arrow keys choose a fragment of C.');
figure.append(panels, legend, results);
const drawings = Object.values(PACKINGS).map((packing) => new Drawing(panels, packing));

/** Times of products in milliseconds by method, in turns, and the products. The first products compile, and are not counted. */
async function measure(engine, n, stale) {
    const [a, b] = [1, 2].map((seed) => ({ data: Float32Array.from({ length: n * n }, randoms(seed)), shape: [n, n] }));
    const operands = await Promise.all([engine.uploadMatrix(a), engine.uploadMatrix(b)]);
    const found = {};
    for (const method of METHODS) {
        const product = await engine.matmul(...operands, { method });
        found[method] = { product: await product.read(), times: [] };
        await product.close();
    }
    // Several products in a row, so that a clock of whole milliseconds tells them apart.
    const once = await timed(engine, operands, METHODS[0], 1);
    const count = Math.max(1, Math.min(50, Math.ceil(40 / once)));
    const end = performance.now() + MOST_TIME;
    do {
        for (const method of METHODS) found[method].times.push(await timed(engine, operands, method, count));
    } while (found.cp.times.length < ROUNDS && performance.now() < end && !stale());
    await Promise.all(operands.map((operand) => operand.close()));
    return { a, b, found };
}

/** The time of one of several products in a row. */
async function timed(engine, operands, method, count) {
    await engine.finish();
    const begun = performance.now();
    const products = await Promise.all(Array.from({ length: count }, () => engine.matmul(...operands, { method })));
    await engine.finish();
    const time = (performance.now() - begun) / count;
    await Promise.all(products.map((product) => product.close()));
    return time;
}

/** The greatest relative error of a product in some of its rows, against sums in double precision. */
function greatestError({ data: a }, { data: b }, { data: c }, n) {
    let greatest = 0;
    for (let row = 0; row < n; row += Math.max(1, n >> 3)) {
        for (let column = 0; column < n; column++) {
            let sum = 0;
            for (let k = 0; k < n; k++) sum += a[row * n + k] * b[k * n + column];
            greatest = Math.max(greatest, Math.abs(c[row * n + column] - sum) / sum);
        }
    }
    return greatest;
}

const three = (number) => short(Number(number.toPrecision(3)));

function report(n, { a, b, found }) {
    const kinds = Object.entries(PACKINGS).map(([method, packing]) => {
        const { a: ofA, b: ofB } = reads(packing, n);
        const time = median(found[method].times);
        return { method, ofA, ofB, time, fetches: ofA + ofB, error: greatestError(a, b, found[method].product, n) };
    });
    const row = (name, value) => [name, ...kinds.map(value)];
    const [cp, sp] = kinds;
    const ratio = (x, y) => [three(x / y), '1'];
    table(results, {
        caption: `Products of ${n} × ${n} matrices`,
        columns: ['', 'CP', 'SP'],
        rows: [
            row('Fragments', () => short(n * n / 4)),
            row('Texels of A and of B that a fragment fetches', ({ ofA, ofB }) => `${ofA} + ${ofB}`),
            row('Multiply-adds of four numbers in a fragment', () => String(n)),
            row('Multiply-adds for a fetch', ({ fetches }) => short(n / fetches)),
            row('Greatest relative error, in eight rows', ({ error }) => error.toExponential(1)),
            row('Time of a product here, in milliseconds', ({ time }) => three(time)),
            row('Rate, in GFLOP/s', ({ time }) => three(2 * n ** 3 / time / 1e6)),
            ['Fetches, as a ratio to SP', ...ratio(cp.fetches, sp.fetches)],
            ['Time, as a ratio to SP', ...ratio(cp.time, sp.time)],
        ],
    });
    return `n = ${n}: CP fetches ${cp.fetches} texels in a fragment and takes ${three(cp.time)} ms, `
        + `SP ${sp.fetches} texels and ${three(sp.time)} ms.`;
}

async function draw(engine, n, _, stale) {
    for (const drawing of drawings) drawing.show(n);
    const measured = await measure(engine, n, stale);
    return stale() ? '' : report(n, measured);
}

lesson({ label: 'Size of the matrices, n', values: [4, 8, 16, 32, 64, 128, 256, 512, 1024], initial: 16, draw });

const shaders = document.getElementById('code');
const texels = (rule) => ({ inputs: { a: rule, b: rule } });
await code(shaders, { caption: 'CP: texels of four numbers below each other', shader: columnPacked, ...texels('random:16x4x4') });
await code(shaders, { caption: 'SP: texels of 2 × 2 numbers', shader: submatrixPacked, ...texels('random:8x8x4') });
