// A field of numbers as a picture: through a colour map with its bar, or as colours; with the value under the cursor, a range that
// follows the data or is held, and what is no number in colours of its own, counted.
import { ODD, colourTable, extent, histogram, mapped, painted, survey } from './colours.js';
import { digits, h } from './dom.js';

// Canvases are limited, and no screen shows more.
const MOST = 2048;
const KEYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class FieldView {
    #array;
    #channel = 0;
    #held = null;
    #spot;
    #found;
    #colours;

    /** `label` names the field for a screen reader, `size` is the length of its longer side in CSS pixels. */
    constructor(container, { label = 'Field', size = 384, histogram: counted = false } = {}) {
        this.size = size;
        this.label = label;
        this.canvas = h('canvas.drawing', {
            tabIndex: 0,
            role: 'application',
            'aria-roledescription': 'field',
            width: 1,
            height: 1,
            onpointermove: (event) => this.#point(event),
            onpointerdown: (event) => this.#point(event),
            onpointerleave: () => this.#leave(),
            onkeydown: (event) => this.#key(event),
        });
        this.mark = h('div.mark', { hidden: true });
        this.readout = h('output', { 'aria-live': 'off' });
        this.low = h('span');
        this.high = h('span');
        this.strip = h('canvas', { width: 256, height: 1, role: 'presentation' });
        this.bar = h('div.bar', {}, this.low, this.strip, this.high);
        this.odd = h('div.odd');
        this.counts = h('canvas.histogram', { width: 256, height: 64, role: 'img', hidden: !counted });
        this.element = h('div.field-view', {}, h('div.frame', {}, this.canvas, this.mark), this.readout, this.bar, this.counts, this.odd);
        container.append(this.element);
        this.#name();
        this.ready = colourTable().then((colours) => {
            this.#colours = colours;
            this.#drawBar();
            this.#draw();
        });
        document.addEventListener('modechange', () => this.#drawHistogram());
    }

    /** Shows an array: one channel through the colour map, or with `channel: 'colour'` red, green and blue from 0 to 1. */
    show(array, { channel = this.#channel } = {}) {
        const { channels } = extent(array);
        this.#array = array;
        this.#channel = channel === 'colour' || channel < channels ? channel : 0;
        this.#found = survey(array, this.#channel === 'colour' ? 0 : this.#channel);
        this.#name();
        this.#draw();
        this.#read();
    }

    /** Shows nothing. */
    clear() {
        this.#array = undefined;
        this.#leave();
        this.canvas.getContext('2d').clearRect(0, 0, this.canvas.width, this.canvas.height);
        this.odd.replaceChildren();
    }

    /** Holds the range of the colours, or lets it follow the data. */
    setRange(range) {
        this.#held = range;
        this.#draw();
    }

    /** The range that is drawn. */
    get range() {
        return this.#held ?? [this.#found?.lo ?? 0, this.#found?.hi ?? 1];
    }

    /** The least and the greatest number of what is shown. */
    get extremes() {
        return [this.#found?.lo, this.#found?.hi];
    }

    /** Draws the histogram too, or not. */
    setHistogram(on) {
        this.counts.hidden = !on;
        this.#drawHistogram();
    }

    #name() {
        const { width, height } = this.#array ? extent(this.#array) : { width: 0, height: 0 };
        const text = this.#array
            ? `${this.label}: ${width} columns, ${height} rows. Arrow keys read values.`
            : `${this.label}: nothing yet`;
        if (this.canvas.ariaLabel !== text) this.canvas.ariaLabel = text;
    }

    #draw() {
        if (!this.#array || !this.#colours) return;
        const { width, height } = extent(this.#array);
        const stride = Math.ceil(Math.max(width, height) / MOST);
        const coloured = this.#channel === 'colour';
        const image = coloured ? painted(this.#array, stride) : mapped(this.#array, this.#channel, this.range, this.#colours, stride);
        this.#fit(width, height, image);
        this.canvas.getContext('2d').putImageData(image, 0, 0);
        this.bar.hidden = coloured;
        this.low.textContent = digits(this.range[0]);
        this.high.textContent = digits(this.range[1]);
        this.#count();
        this.#drawHistogram();
    }

    // A line of numbers is drawn higher than it is, else nobody could point at it.
    #fit(width, height, image) {
        if (this.canvas.width !== image.width || this.canvas.height !== image.height) {
            [this.canvas.width, this.canvas.height] = [image.width, image.height];
        }
        const ratio = Math.min(16, Math.max(1 / 16, width / height));
        const across = ratio >= 1 ? this.size : this.size * ratio;
        this.canvas.style.width = `${Math.round(across)}px`;
        this.canvas.style.aspectRatio = String(ratio);
    }

    #count() {
        const odd = Object.keys(ODD).filter((key) => this.#found[key] > 0);
        const text = odd.map((key) => `${this.#found[key]} ${ODD[key].name}`).join(', ');
        if (this.odd.dataset.text === text) return;
        this.odd.dataset.text = text;
        const swatch = (key) => h('i', { style: `background: ${ODD[key].css}` });
        this.odd.replaceChildren(...odd.map((key) => h('span', {}, swatch(key), `${ODD[key].name}: ${this.#found[key]}`)));
    }

    #drawBar() {
        const image = new ImageData(256, 1);
        for (let i = 0; i < 256; i++) image.data.set([...this.#colours.subarray(3 * i, 3 * i + 3), 255], 4 * i);
        this.strip.getContext('2d').putImageData(image, 0, 0);
    }

    #drawHistogram() {
        if (this.counts.hidden || !this.#array) return;
        const channel = this.#channel === 'colour' ? 0 : this.#channel;
        const counts = histogram(this.#array, channel, this.range);
        const most = Math.max(1, ...counts);
        const context = this.counts.getContext('2d');
        context.clearRect(0, 0, 256, 64);
        context.fillStyle = getComputedStyle(this.counts).color;
        counts.forEach((count, i) => context.fillRect(4 * i, 64 - (64 * count) / most, 3, (64 * count) / most));
        const peak = counts.indexOf(most);
        const [lo, hi] = this.range;
        const at = lo + ((hi - lo) * (peak + 0.5)) / counts.length;
        const range = `from ${digits(lo)} to ${digits(hi)} in ${counts.length} bins`;
        this.counts.ariaLabel = `Histogram ${range}; the fullest, near ${digits(at)}, has ${most}`;
    }

    #point(event) {
        if (!this.#array) return;
        const { width, height } = extent(this.#array);
        const inside = (share, count) => Math.min(count - 1, Math.max(0, Math.floor(share * count)));
        const { clientWidth, clientHeight } = this.canvas;
        this.#spot = [inside(event.offsetX / clientWidth, width), inside(event.offsetY / clientHeight, height)];
        this.readout.ariaLive = 'off';
        this.#read();
    }

    #leave() {
        if (document.activeElement === this.canvas) return;
        this.#spot = undefined;
        this.#read();
    }

    #key(event) {
        const move = KEYS[event.key];
        if (!move || !this.#array) return;
        event.preventDefault();
        const { width, height } = extent(this.#array);
        const far = event.shiftKey ? 10 : 1;
        const [x, y] = this.#spot ?? [Math.floor(width / 2), Math.floor(height / 2)];
        this.#spot = [Math.min(width - 1, Math.max(0, x + far * move[0])), Math.min(height - 1, Math.max(0, y + far * move[1]))];
        this.readout.ariaLive = 'polite';
        this.#read();
    }

    #read() {
        this.mark.hidden = !this.#spot;
        if (!this.#spot || !this.#array) {
            this.readout.textContent = '';
            return;
        }
        const { width, height, channels } = extent(this.#array);
        const [x, y] = [Math.min(this.#spot[0], width - 1), Math.min(this.#spot[1], height - 1)];
        const at = (y * width + x) * channels;
        const values = Array.from(this.#array.data.subarray(at, at + channels), digits);
        this.readout.textContent = `row ${y}, column ${x}: ${values.join(', ')}`;
        Object.assign(this.mark.style, {
            left: `${(100 * x) / width}%`,
            top: `${(100 * y) / height}%`,
            width: `${100 / width}%`,
            height: `${100 / height}%`,
        });
    }
}
