// The lesson on reductions: the passes of a sum as grids of numbers, and what the order of additions does to rounding.

import { h } from '../common/dom.js';
import { TexelGrid, code, lesson, randoms, table } from './lesson.js';
import shader from './shaders/fold.frag';

// The grid that is shown: digits, whose sums are exact.
const SMALL = 16;
const DIGITS = { data: Float32Array.from({ length: SMALL * SMALL }, map(randoms(3), (u) => Math.floor(10 * u))), shape: [SMALL, SMALL] };
// The arrays whose sums are compared: four channels each, so that a sum of texels is four sums.
const SIDE = 256;
const ARRAYS = 8;
const CHANNELS = 4;

function map(numbers, change) {
    return () => change(numbers());
}

const levels = h('div.panels');
const spoken = h('p', { 'aria-live': 'polite' });
const results = h('div');
document.getElementById('figure').append(levels, spoken, results);

/** The arrays of all passes, the first one included. */
async function fold(kernel, array, r) {
    const passes = [array];
    let [height, width] = array.shape;
    while (height > 1 || width > 1) {
        [height, width] = [Math.ceil(height / r), Math.ceil(width / r)];
        const { sum } = await kernel.run({ inputs: { x: passes.at(-1) }, uniforms: { r }, size: [width, height] });
        passes.push(sum);
    }
    return passes;
}

function showLevels(passes, r) {
    const grids = [];
    levels.replaceChildren();
    passes.forEach((array, level) => {
        const [height, width] = array.shape;
        const name = level === 0 ? `The numbers, ${width} × ${height}` : `After pass ${level}, ${width} × ${height}`;
        const figure = h('figure', {}, h('figcaption', {}, name));
        levels.append(figure);
        const grid = new TexelGrid(figure, { label: name, pick: (column, row) => pick(level, column, row) });
        grid.table.classList.add('dense');
        grid.show(array);
        grids.push(grid);
    });

    // Frames a texel and those that its fragment has added.
    function pick(level, column, row) {
        const ofLevel = (i) => (i === level ? [[column, row]] : i === level - 1 ? square(passes[i].shape, column, row, r) : []);
        grids.forEach((grid, i) => grid.mark(ofLevel(i)));
        const number = at(passes[level], column, row);
        const place = `Pass ${level}, column ${column}, row ${row}`;
        spoken.textContent = level === 0 ? `A number of the array: ${number}.`
            : `${place}: the fragment has added ${ofLevel(level - 1).length} numbers, and their sum is ${number}.`;
    }
    pick(1, 0, 0);
}

const at = ({ data, shape: [, width, channels = 1] }, column, row) => data[(row * width + column) * channels];

// The texels that fold into the one in this column and row.
function square([height, width], column, row, r) {
    const places = [];
    for (let y = r * row; y < Math.min(height, r * (row + 1)); y++) {
        for (let x = r * column; x < Math.min(width, r * (column + 1)); x++) places.push([x, y]);
    }
    return places;
}

/** An array from a seed with the sums of its channels: in double precision, by a loop in single precision, by the library. */
async function known(engine, seed) {
    const data = Float32Array.from({ length: SIDE * SIDE * CHANNELS }, randoms(seed));
    const sums = [];
    for (let channel = 0; channel < CHANNELS; channel++) {
        const numbers = Float32Array.from({ length: SIDE * SIDE }, (_, i) => data[i * CHANNELS + channel]);
        let [exact, loop] = [0, 0];
        for (const number of numbers) {
            exact += number;
            loop = Math.fround(loop + number);
        }
        sums.push({ exact, loop, library: await engine.sum({ data: numbers, shape: [SIDE, SIDE] }) });
    }
    return { array: { data, shape: [SIDE, SIDE, CHANNELS] }, sums };
}

async function prepare(engine) {
    return { kernel: await engine.kernel(shader, 'fold.frag'), arrays: [] };
}

/** The root of the mean square of relative errors. */
function spread(arrays, sumOf) {
    const errors = arrays.flatMap(({ sums }, i) => sums.map((sum, channel) => sumOf(sum, i, channel) / sum.exact - 1));
    return Math.hypot(...errors) / Math.sqrt(errors.length);
}

async function draw(engine, r, { kernel, arrays }, stale) {
    showLevels(await fold(kernel, DIGITS, r), r);
    // The grids are there first; the arrays are made once.
    while (arrays.length < ARRAYS) arrays.push(await known(engine, 100 + arrays.length));
    const trees = [];
    for (const { array } of arrays) {
        if (stale()) return '';
        trees.push(await fold(kernel, array, r));
    }
    const passes = trees[0].length - 1;
    const count = SIDE * SIDE;
    const way = longestWay(r);
    const error = (sumOf) => spread(arrays, sumOf).toExponential(1);
    const ofTree = error((_, i, channel) => trees[i].at(-1).data[channel]);
    const ofLoop = error(({ loop }) => loop);
    const ofLibrary = error(({ library }) => library);
    table(results, {
        caption: `Sums of ${count} random numbers from 0 to 1: error relative to the sum, root mean square of ${ARRAYS * CHANNELS} arrays`,
        columns: ['', 'passes', 'additions on the longest way', 'error'],
        rows: [
            ['A loop in single precision', '–', String(count - 1), ofLoop],
            [`The tree with r = ${r}`, String(passes), String(way), ofTree],
            ['The sum of the library', '–', '–', ofLibrary],
        ],
    });
    return `r = ${r}: ${passes} passes for ${count} numbers. The error of the tree is ${ofTree}, that of the loop ${ofLoop}.`;
}

// In each pass a number takes part in at most one addition fewer than its fragment adds texels.
function longestWay(r) {
    let way = 0;
    for (let side = SIDE; side > 1; side = Math.ceil(side / r)) way += Math.min(r, side) ** 2 - 1;
    return way;
}

const values = Array.from({ length: 15 }, (_, i) => i + 2);
lesson({ label: 'Side of the square that a fragment adds, r', values, initial: 4, prepare, draw });
code(document.getElementById('code'), {
    caption: 'A pass. The page runs it until one texel is left.', shader, inputs: { x: 'random:16x16' }, uniforms: { r: 4 }, size: [4, 4],
});
