// The lesson on the stages of a computation: saxpy step by step, with the two textures of y that take turns.

import { h } from '../common/dom.js';
import { TexelGrid, code, lesson, short } from './lesson.js';
import shader from './shaders/saxpy.frag';

const ALPHA = 0.5;
const SIDE = 4;
const SETTINGS = { shader, uniforms: { alpha: ALPHA }, feedback: { next: 'y' } };
const X = { data: Float32Array.from({ length: SIDE * SIDE }, (_, i) => i + 1), shape: [SIDE, SIDE] };
const FIRST = { data: new Float32Array(SIDE * SIDE).fill(20), shape: [SIDE, SIDE] };
const NOTHING = { data: new Float32Array(SIDE * SIDE).fill(NaN), shape: [SIDE, SIDE] };

const panels = h('div.panels');
const arithmetic = h('p', { 'aria-live': 'polite' });
const readback = h('p');
document.getElementById('figure').append(panels, arithmetic, readback);
const x = panel('x');
const textures = [panel('y, texture 0'), panel('y, texture 1')];
let shown = { step: 0, latest: FIRST, before: NOTHING };
let picked = [0, 0];

function panel(name) {
    const caption = h('figcaption');
    const figure = h('figure', {}, caption);
    panels.append(figure);
    return { name, caption, grid: new TexelGrid(figure, { label: name, pick }) };
}

function pick(column, row) {
    picked = [column, row];
    for (const { grid } of [x, ...textures]) grid.mark([picked]);
    arithmetic.textContent = explain(shown);
}

// What the fragment of the picked texel has computed in the last step.
function explain({ step, latest, before }) {
    const [column, row] = picked;
    const i = row * SIDE + column;
    const place = `column ${column}, row ${row}`;
    if (step === 0) return `The texel in ${place} was uploaded: ${short(latest.data[i])}.`;
    const [old, added, sum] = [before.data[i], X.data[i], latest.data[i]].map(short);
    return `The fragment of ${place} in step ${step}: ${old} + ${ALPHA} × ${added} = ${sum}.`;
}

function show(step, latest, before) {
    shown = { step, latest, before };
    const range = [Math.min(...FIRST.data), Math.max(...latest.data)];
    x.caption.replaceChildren(h('strong', {}, 'x'), ': 1 to 16.', h('br'), 'Every step reads it.');
    x.grid.show(X);
    textures.forEach((texture, i) => {
        const isLatest = i === step % 2;
        const holds = isLatest ? `step ${step}` : step > 0 ? `step ${step - 1}` : 'nothing yet';
        const next = `Step ${step + 1} will ${isLatest ? 'read' : 'write'} it.`;
        texture.caption.replaceChildren(h('strong', {}, texture.name), `: ${holds}.`, h('br'), next);
        texture.grid.show(isLatest ? latest : before, { range, format });
    });
    pick(...picked);
}

const format = (number) => (Number.isNaN(number) ? '–' : short(number));

// The same by a loop of the processor, in single precision.
function byLoop(steps) {
    const y = Float32Array.from(FIRST.data);
    for (let step = 0; step < steps; step++) {
        for (let i = 0; i < y.length; i++) y[i] += Math.fround(ALPHA * X.data[i]);
    }
    return y;
}

async function draw(_, step, experiment) {
    await experiment.restart();
    const before = step > 1 ? await after(experiment, step - 1) : step > 0 ? FIRST : NOTHING;
    const latest = step > 0 ? await after(experiment, 1) : FIRST;
    show(step, latest, before);
    const equal = byLoop(step).filter((number, i) => number === latest.data[i]).length;
    readback.textContent = `Read back from texture ${step % 2}: ${Array.from(latest.data, short).join(', ')}. `
        + `${equal} of ${latest.data.length} numbers are equal to those of a loop in JavaScript.`;
    return step === 0 ? 'Nothing is drawn yet.' : `Step ${step} has read texture ${(step - 1) % 2} and written texture ${step % 2}.`;
}

async function after(experiment, steps) {
    await experiment.step(steps);
    return experiment.read('next');
}

lesson({
    label: 'Steps',
    values: [...Array(13).keys(), 1000],
    initial: 3,
    prepare: (engine) => engine.experiment({ ...SETTINGS, name: 'saxpy.frag', inputs: { x: X, y: FIRST } }),
    draw,
});
code(document.getElementById('code'), {
    caption: 'The shader of stage 2. READ(y, TEXEL) is texelFetch(y, ivec2(gl_FragCoord.xy), 0) in plain GLSL.',
    ...SETTINGS, inputs: { x: 'ramp:4x4', y: 'zeros:4x4' },
});
