// What the lessons share: the frame of the page, the slider and the loop that computes for it, grids of texels, tables of results,
// pieces of SVG, and random numbers.

import { digits, h, unique } from '../common/dom.js';
import { engine, restart } from '../common/engine.js';
import { header } from '../common/header.js';
import { playgroundLink } from '../common/link.js';

/** The lessons in their order: the names of their files, and what they are about. */
export const LESSONS = [
    ['stages', 'The stages of a computation on a GPU'],
    ['products', 'Two ways to pack a matrix'],
    ['reduction', 'A sum as a tree of passes'],
    ['multigrid', 'Multigrid beside Jacobi and conjugate gradients'],
    ['vertex-program', 'A vertex program and its registers'],
    ['sat', 'Where 3-SAT is hard'],
    ['fft', 'A Fourier transform in passes'],
];

/**
 * Runs a lesson: its slider stands in #slider, its messages in #status, and its results in #figure.
 * `prepare(engine)` is called once for an engine, and `draw(engine, value, prepared, stale)` for each value of the slider, one after the
 * other; of values that came while it worked only the newest one is drawn, and `stale()` says whether one waits. What `draw` returns is
 * the sentence that a screen reader is told.
 */
export function lesson({ label, values, initial, text = String, prepare = () => undefined, draw }) {
    const figure = document.getElementById('figure');
    const status = document.getElementById('status');
    let started;
    frame();

    async function work(value, stale) {
        figure.setAttribute('aria-busy', 'true');
        const slow = setTimeout(() => say(status, 'Computing …'), 300);
        try {
            started ??= begin();
            const [running, prepared] = await started;
            const sentence = await draw(running, value, prepared, stale);
            say(status, sentence ?? '');
        } catch (error) {
            started = undefined;
            sayError(status, error, () => show(value));
        } finally {
            clearTimeout(slow);
            figure.removeAttribute('aria-busy');
        }
    }

    async function begin() {
        const running = await engine();
        return [running, await prepare(running)];
    }

    const show = newest(work);
    slider(document.getElementById('slider'), { label, values, initial, text, change: show });
}

/** Calls of `work(value, stale)` one at a time; values that are overtaken by a newer one are left out. */
export function newest(work) {
    let waiting = null;
    let working = false;
    return async (value) => {
        waiting = { value };
        if (working) return;
        working = true;
        while (waiting) {
            const { value: next } = waiting;
            waiting = null;
            await work(next, () => waiting !== null);
        }
        working = false;
    };
}

// What follows the link for the slider of the page.
let followed;

/** A slider over a list of values. Its value is in the link, so that a lecturer can send it; `change` is called with it at once. */
export function slider(container, { label, values, initial = values[0], text = String, change }) {
    const id = unique('slider');
    const input = h('input', { type: 'range', id, min: 0, max: values.length - 1, step: 1 });
    const output = h('output', { for: id });
    const ends = h('div.slider-ends', { 'aria-hidden': 'true' }, [values[0], values.at(-1)].map((end) => h('span', {}, text(end))));
    container.replaceChildren(h('label', { htmlFor: id }, label, ': ', output), input, ends);

    function move(position) {
        const value = values[position];
        input.value = position;
        output.textContent = text(value);
        input.setAttribute('aria-valuetext', text(value));
        change(value);
    }

    // -1 where the link has no such value.
    const fromLink = () => values.findIndex((value) => encodeURIComponent(value) === location.hash.slice(1));
    input.addEventListener('input', () => {
        history.replaceState(null, '', `#${encodeURIComponent(values[input.value])}`);
        move(Number(input.value));
    });
    removeEventListener('hashchange', followed);
    followed = () => fromLink() >= 0 && move(fromLink());
    addEventListener('hashchange', followed);
    move(fromLink() >= 0 ? fromLink() : values.indexOf(initial));
}

let framed = false;

// The header, and links to the lessons before and after this one at the end. A page may have another slider later, but no second frame.
function frame() {
    if (framed) return;
    framed = true;
    header('Lessons');
    neighbours();
}

function neighbours() {
    const here = LESSONS.findIndex(([name]) => location.pathname.split('/').at(-1).startsWith(`${name}.`));
    const link = (place, words) => LESSONS[place] && h('a', { href: `${LESSONS[place][0]}.html` }, `${words}: ${LESSONS[place][1]}`);
    if (here < 0) return;
    const links = [link(here - 1, 'Before'), link(here + 1, 'Next')];
    document.querySelector('main').append(h('nav.lesson-links', { 'aria-label': 'Lessons' }, links));
}

function say(status, sentence) {
    status.classList.remove('message', 'bad');
    if (status.textContent !== sentence) status.textContent = sentence;
}

// The message, and a button that starts another engine: the old one may be lost.
function sayError(status, error, again) {
    status.classList.add('message', 'bad');
    const button = h('button', { type: 'button' }, 'Try again');
    button.addEventListener('click', async () => {
        try {
            await restart();
        } catch (failure) {
            sayError(status, failure, again);
            return;
        }
        again();
    });
    status.replaceChildren(`${error.message} `, button);
}

/** An element of SVG with attributes and children. */
export function svg(name, attributes = {}, ...children) {
    const made = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
}

/**
 * A grid of texels with their numbers. One texel is picked, by the pointer or by the arrow keys, and `pick(column, row)` is told.
 * The numbers are tinted between the least and the greatest one, or over `range`.
 */
export class TexelGrid {
    constructor(container, { label, pick = () => {} }) {
        this.pick = pick;
        this.cells = [];
        this.picked = [0, 0];
        this.table = h('table.texels', { role: 'grid', 'aria-label': label });
        container.append(this.table);
        this.table.addEventListener('keydown', (event) => this.#move(event));
        this.table.addEventListener('pointerover', (event) => this.#choose(event.target.closest('td')));
        this.table.addEventListener('focusin', (event) => this.#choose(event.target.closest('td')));
    }

    /** Shows a channel of an array of shape [height, width] or [height, width, channels]. */
    show({ data, shape }, { channel = 0, range, format = short } = {}) {
        const [height, width, channels = 1] = shape;
        if (this.cells.length !== height || this.cells[0]?.length !== width) this.#build(width, height);
        const numbers = Array.from({ length: width * height }, (_, i) => data[i * channels + channel]);
        const [low, high] = range ?? extent(numbers);
        numbers.forEach((number, i) => {
            const cell = this.cells[Math.floor(i / width)][i % width];
            cell.textContent = format(number);
            cell.style.setProperty('--tint', `${(45 * Math.min(1, Math.max(0, (number - low) / (high - low || 1)))).toFixed(1)}%`);
        });
    }

    /** Frames the texels [column, row] of a list, and no others. */
    mark(places) {
        this.table.querySelectorAll('.marked').forEach((cell) => cell.classList.remove('marked'));
        places.forEach(([column, row]) => this.cells[row]?.[column]?.classList.add('marked'));
    }

    #build(width, height) {
        this.cells = Array.from({ length: height }, (_, row) => Array.from({ length: width }, (_, column) => {
            const cell = h('td', { tabIndex: -1, role: 'gridcell' });
            cell.dataset.column = column;
            cell.dataset.row = row;
            return cell;
        }));
        this.table.style.setProperty('--columns', width);
        this.table.replaceChildren(h('tbody', {}, this.cells.map((row) => h('tr', {}, row))));
        this.picked = this.picked.map((place, axis) => Math.min(place, [width, height][axis] - 1));
        this.cells[this.picked[1]][this.picked[0]].tabIndex = 0;
    }

    #choose(cell) {
        if (!cell) return;
        const [oldColumn, oldRow] = this.picked;
        this.cells[oldRow][oldColumn].tabIndex = -1;
        cell.tabIndex = 0;
        this.picked = [Number(cell.dataset.column), Number(cell.dataset.row)];
        this.pick(...this.picked);
    }

    #move(event) {
        const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
        const next = step && this.cells[this.picked[1] + step[1]]?.[this.picked[0] + step[0]];
        if (step) event.preventDefault();
        next?.focus();
    }
}

/** A table of results in place of what stood in the container: columns by name, rows of texts of which the first is a heading. */
export function table(container, { caption, columns, rows }) {
    const head = h('tr', {}, columns.map((name) => (name ? h('th', { scope: 'col' }, name) : h('td'))));
    const line = ([name, ...cells]) => h('tr', {}, h('th', { scope: 'row' }, name), cells.map((cell) => h('td', {}, cell)));
    const made = h('table.numbers', {}, h('caption', {}, caption), h('thead', {}, head), h('tbody', {}, rows.map(line)));
    container.replaceChildren(h('div.scroll', { tabIndex: 0, role: 'region', 'aria-label': caption }, made));
}

/** A shader as text, with a link that opens it in the playground with these settings. */
export async function code(container, { caption, shader, ...settings }) {
    const link = h('a', { href: await playgroundLink({ shader, ...settings }) }, 'Open in the playground');
    container.append(h('figure', {}, h('figcaption', {}, caption), h('pre', { tabIndex: 0 }, h('code', {}, shader.trim())), link));
}

/** A number in four digits at most, in the shortest form; integers up to a million in full. */
export function short(number) {
    if (!Number.isFinite(number)) return digits(number);
    const size = Math.abs(number);
    if (Number.isInteger(number) && size <= 1e6) return String(number);
    if (size !== 0 && (size >= 1e5 || size < 1e-3)) return number.toExponential(1).replace('e+', 'e');
    return String(Number(number.toPrecision(4)));
}

/** Numbers in [0, 1) with 24 bits each, the same ones for the same seed (mulberry32). */
export function randoms(seed) {
    let state = seed >>> 0;
    return () => {
        state = (state + 0x6d2b79f5) >>> 0;
        let bits = Math.imul(state ^ (state >>> 15), state | 1);
        bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
        return ((bits ^ (bits >>> 14)) >>> 8) / 16777216;
    };
}

export function extent(numbers) {
    return numbers.reduce(([low, high], number) => [Math.min(low, number), Math.max(high, number)], [Infinity, -Infinity]);
}

export function median(numbers) {
    return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
}
