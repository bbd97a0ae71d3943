// A lesson: a Fourier transform as passes of radix 2 in Stockham's order, with what each texel reads.
import { h } from '../common/dom.js';
import { Butterflies } from './butterflies.js';
import { dft, difference, rootsOf, SIGNALS } from './fourier.js';
import { code, lesson, table } from './lesson.js';
import shader from './shaders/fourier_pass.frag';
import runFile from './shaders/fourier.run.toml';
import roots from './shaders/roots.frag';

const SIZES = [4, 8, 16, 32];
const COMPARED = [4, 16, 64, 256, 1024, 4096];

const at = (id) => document.getElementById(id);
const row = (data) => ({ data, shape: [1, data.length / 2, 2] });

let run = 0; // counts signals, so that what is drawn for an older one is dropped
let current; // the experiment of the signal
let results = new Map(); // what was compared, by the number of numbers
const picture = new Butterflies(at('butterflies'), (text) => (at('texel').textContent = text));

at('signals').append(...SIGNALS.map(({ name }, i) => h('option', { value: i }, name)));
at('sizes').append(...SIZES.map((size) => h('option', { value: size, selected: size === 8 }, String(size))));
at('signals').addEventListener('change', begin);
at('sizes').addEventListener('change', begin);
code(at('code'), {
    caption: 'A pass. A link holds no arrays, so in the playground a pass before it computes the roots.',
    shader, runFile, files: { 'fourier_pass.frag': shader, 'roots.frag': roots },
});
begin();

/** Begins with another signal: a place of the slider for each pass. */
function begin() {
    const mine = ++run;
    const count = Number(at('sizes').value);
    const signal = SIGNALS[at('signals').value].of(count);
    const passes = Math.log2(count);
    const rows = [signal];
    results = new Map();
    at('compared').replaceChildren();
    lesson({
        label: 'Passes', initial: 1,
        values: Array.from({ length: passes + 1 }, (_, i) => i),
        text: (pass) => `${pass} of ${passes}`,
        prepare: async (engine) => {
            at('larger').onclick = () => compareAll(engine);
            await current?.close().catch(() => {}); // of an engine that was lost, nothing is left to close
            current = await experimentOf(engine, signal);
            rows.length = 1;
            return current;
        },
        draw: async (engine, pass, experiment) => {
            if (mine !== run) return '';
            while (rows.length <= pass) {
                await experiment.step();
                rows.push((await experiment.read()).data);
            }
            if (mine !== run) return '';
            picture.show(rows, pass, passes);
            if (pass === passes) await compare(engine, signal, rows[passes]);
            return sentence(pass, passes);
        },
    });
}

function experimentOf(engine, signal) {
    const inputs = { x: row(signal), roots: row(Float32Array.from(rootsOf(signal.length / 2))) };
    return engine.experiment({ shader, name: 'fourier_pass.frag', inputs, feedback: { next: 'x' } });
}

function sentence(pass, passes) {
    if (pass === 0) return 'The signal: no pass has run.';
    if (pass === passes) return 'Behind the last pass each texel holds one number of the transform.';
    return `Behind pass ${pass} each texel depends on ${2 ** pass} numbers of the signal.`;
}

/** Compares the passes and the engine's own transform with the sums in double precision. */
async function compare(engine, signal, passed) {
    const count = signal.length / 2;
    const exact = dft(signal);
    const part = (offset) => ({ data: signal.filter((_, i) => i % 2 === offset), shape: [count] });
    const { re, im } = await engine.fft({ re: part(0), im: part(1) });
    const own = Float32Array.from(signal, (_, i) => (i % 2 ? im : re).data[i >> 1]);
    results.set(count, { passes: difference(passed, exact), own: difference(own, exact) });
    showCompared();
}

async function compareAll(engine) {
    const mine = run;
    at('larger').disabled = true;
    try {
        for (const count of COMPARED) {
            const signal = SIGNALS[at('signals').value].of(count);
            const experiment = await experimentOf(engine, signal);
            await experiment.step(Math.log2(count));
            const passed = await experiment.read();
            await experiment.close();
            if (mine !== run) return;
            await compare(engine, signal, passed.data);
        }
    } catch (error) {
        at('compared').append(h('p.message.bad', { role: 'alert' }, error.message));
    } finally {
        at('larger').disabled = false;
    }
}

function showCompared() {
    const rows = [...results].sort(([a], [b]) => a - b).map(([count, { passes, own }]) => {
        const taken = Math.log2(count);
        const products = [count * taken, count * count].map((number) => number.toLocaleString('en'));
        return [String(count), String(taken), ...products, error(passes), error(own)];
    });
    const columns = ['numbers', 'passes', 'products of the passes', 'products of the sums', 'error of the passes', 'error of engine.fft'];
    const caption = 'Against sums in double precision: the largest error, over the largest number of the transform';
    table(at('compared'), { caption, columns, rows });
}

const error = (value) => (value === 0 ? '0' : value.toExponential(1));
