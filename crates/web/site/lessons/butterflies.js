// The drawing of a transform's passes: a row of texels for the signal and for each pass, with lines from each texel to the two that it
// read.
import { short, svg } from './lesson.js';

const WIDTH = 66;
const HEIGHT = 36;
const BETWEEN = 56; // the lines between two rows
const TOP = 18; // the name of a row

/** The texels of the row before that texel `i` of pass `pass` reads, and the root that the second one is multiplied by. */
export function readsOf(i, pass, count) {
    const done = 2 ** (pass - 1);
    const place = i % (2 * done);
    const first = Math.floor(i / (2 * done)) * done + (place % done);
    return { first, second: first + count / 2, root: place * (count / (2 * done)) };
}

export class Butterflies {
    /** `tell` is given the sentence about a texel that is pointed at or moved to. */
    constructor(container, tell) {
        this.container = container;
        this.tell = tell;
        this.picked = [0, 0];
    }

    /** Draws `rows` (pairs of real and imaginary part) up to `pass`, and empty texels for the passes that are still to come. */
    show(rows, pass, passes) {
        this.count = rows[0].length / 2;
        this.rows = rows;
        this.pass = pass;
        this.passes = passes;
        this.#build();
        this.#pick(pass, Math.min(this.picked[1], this.count - 1));
    }

    #build() {
        const [width, height] = [this.count * WIDTH + 2, (this.passes + 1) * (HEIGHT + BETWEEN) - BETWEEN + TOP + 2];
        const hadFocus = this.container.contains(document.activeElement);
        this.lines = [];
        const rowOf = (_, row) => Array.from({ length: this.count }, (__, i) => this.#texel(row, i));
        this.texels = Array.from({ length: this.passes + 1 }, rowOf);
        const extent = { viewBox: `0 0 ${width} ${height}`, width, height };
        const drawn = svg('svg', { ...extent, role: 'group', 'aria-label': 'Passes of the transform' });
        for (let row = 1; row <= this.passes; row++) drawn.append(...this.#linesOf(row));
        drawn.append(...this.texels.flat(), ...this.texels.map((_, row) => this.#name(row)));
        drawn.addEventListener('keydown', (event) => this.#move(event));
        this.container.replaceChildren(drawn);
        if (hadFocus) this.texels[Math.min(this.picked[0], this.pass)][this.picked[1]]?.focus();
    }

    #name(row) {
        const text = row === 0 ? 'signal' : `pass ${row}`;
        return svg('text', { class: 'row-name', x: 2, y: this.#top(row) - 4 }, text);
    }

    #top(row) {
        return TOP + row * (HEIGHT + BETWEEN);
    }

    #texel(row, i) {
        const computed = row <= this.pass;
        const box = { x: 1 + i * WIDTH + 2, y: this.#top(row), width: WIDTH - 4, height: HEIGHT, rx: 3 };
        const texel = svg('g', { class: computed ? 'texel' : 'texel empty' }, svg('rect', box));
        if (!computed) return texel;
        const numbers = this.#number(row, i);
        const middle = box.x + box.width / 2;
        const write = (text, line) => svg('text', { x: middle, y: box.y + 15 + 14 * line }, text);
        texel.append(...[short(numbers[0]), `${short(numbers[1])} i`].map(write));
        texel.style.setProperty('--tint', `${(50 * Math.min(1, Math.hypot(...numbers) / this.#largest(row))).toFixed(0)}%`);
        texel.setAttribute('tabindex', -1);
        texel.setAttribute('role', 'img');
        texel.setAttribute('aria-label', this.#sentence(row, i));
        texel.addEventListener('pointerover', () => this.#pick(row, i));
        texel.addEventListener('focus', () => this.#pick(row, i));
        return texel;
    }

    // Rounded to six digits, so that an error of rounding beside numbers of size 1 is shown as 0.
    #number(row, i) {
        const rounded = (number) => Math.round(1e6 * number) / 1e6 + 0;
        return [rounded(this.rows[row][2 * i]), rounded(this.rows[row][2 * i + 1])];
    }

    #largest(row) {
        const sizes = Array.from({ length: this.count }, (_, i) => Math.hypot(...this.#number(row, i)));
        return Math.max(...sizes) || 1;
    }

    #linesOf(row) {
        return Array.from({ length: this.count }, (_, i) => {
            const { first, second } = readsOf(i, row, this.count);
            return [first, second].map((from) => this.#line(row, i, from));
        }).flat();
    }

    #line(row, i, from) {
        const x = (place) => 1 + (place + 0.5) * WIDTH;
        const ends = { x1: x(from), y1: this.#top(row - 1) + HEIGHT, x2: x(i), y2: this.#top(row) };
        const line = svg('line', { ...ends, class: row <= this.pass ? '' : 'waiting' });
        this.lines.push({ line, row, i });
        return line;
    }

    /** Marks a texel, all that it depends on, and what it read. */
    #pick(row, i) {
        this.texels[this.picked[0]]?.[this.picked[1]]?.setAttribute('tabindex', -1);
        this.picked = [row, i];
        this.texels[row][i].setAttribute('tabindex', 0);
        const reached = this.#reached(row, i);
        this.texels.forEach((texels, r) => texels.forEach((texel, place) => {
            texel.classList.toggle('reached', reached[r]?.has(place) ?? false);
            texel.classList.toggle('picked', r === row && place === i);
        }));
        this.lines.forEach(({ line, row: r, i: place }) => line.classList.toggle('read', r <= row && (reached[r]?.has(place) ?? false)));
        this.tell(this.#sentence(row, i));
    }

    // For each row the texels that a texel depends on.
    #reached(row, i) {
        const sets = [];
        sets[row] = new Set([i]);
        for (let r = row; r > 0; r--) {
            sets[r - 1] = new Set([...sets[r]].flatMap((place) => {
                const { first, second } = readsOf(place, r, this.count);
                return [first, second];
            }));
        }
        return sets;
    }

    #sentence(row, i) {
        const [re, im] = this.#number(row, i);
        const value = `${short(re)} ${im < 0 ? '-' : '+'} ${short(Math.abs(im))} i`;
        if (row === 0) return `Number ${i} of the signal: ${value}.`;
        const { first, second, root } = readsOf(i, row, this.count);
        const before = row === 1 ? 'the signal' : `pass ${row - 1}`;
        return `Texel ${i} of pass ${row}: ${value}. It is texel ${first} of ${before} plus root ${root}, exp(-2 pi i ${root} / ${this.count}), `
            + `times texel ${second}. It depends on ${2 ** row} of ${this.count} numbers of the signal.`;
    }

    #move(event) {
        const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
        if (!step) return;
        event.preventDefault();
        const [row, i] = [this.picked[0] + step[0], this.picked[1] + step[1]];
        if (row >= 0 && row <= this.pass) this.texels[row][i]?.focus();
    }
}
