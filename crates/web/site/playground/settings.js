// The settings that are no inputs and no uniforms: size, feedback, seed, dialect, sampling; and what the engine is given in all.
import { h, unique } from '../common/dom.js';
import { bytesOf, refusalOf } from './files.js';

const DIALECTS = ['plain', 'shadertoy', 'ghostty', 'sandbox', 'legacy', 'isf'];
// Of a shader without inputs, when nobody says a size.
const STANDARD = [320, 240];

export const isRunFile = (name) => name.endsWith('.toml');

/** The feedback of a state that the program has both ends of; a run file's inputs have names of its own. */
export function feedbackOf(state, outputs, inputs) {
    const has = ([from, to]) => outputs.has(from) && (isRunFile(state.main) || inputs.has(to));
    return Object.fromEntries(Object.entries(state.feedback).filter(has));
}

export class Settings {
    /** `onchange()` is told when the experiment is another one, `onwrong()` when an entry is wrong, and `limit()` gives the largest
     * side. */
    constructor(container, state, { onchange, onwrong, limit }) {
        Object.assign(this, { container, state, onchange, onwrong, limit });
        this.feedback = h('div');
        this.declared = { inputs: [], outputs: [] };
    }

    // What is wrong in the entries, by their keys.
    #wrong = new Map();

    /** What is wrong in an entry, if anything is: a run would have the value before. */
    get wrong() {
        return [...this.#wrong.values()][0];
    }

    /** Draws all from the state. */
    load() {
        const { state } = this;
        this.#wrong.clear();
        this.container.replaceChildren(
            this.#size(),
            this.feedback,
            h(
                'div.row',
                {},
                this.#number('Seed of random numbers', 'seed', { min: 0, step: 1, placeholder: 'standard' }),
                this.#number("Steps a second of the shader's time", 'rate', { min: 0, step: 'any', placeholder: '60' }),
            ),
            h(
                'div.row',
                {},
                this.#choice('Dialect', 'dialect', DIALECTS, 'as recognised'),
                this.#choice('texture() outside', 'wrap', ['clamp', 'repeat', 'mirror'], 'standard'),
                this.#choice('texture() between texels', 'filter', ['nearest', 'linear', 'mipmap'], 'standard'),
                this.#choice(
                    'y = 0',
                    'flip',
                    [
                        [true, 'at the bottom'],
                        [false, 'at the top'],
                    ],
                    'as the dialect has it',
                ),
            ),
        );
        this.#drawFeedback(state);
    }

    /** Takes what the program declares. */
    show(declared) {
        this.declared = declared;
        this.#drawFeedback(this.state);
    }

    /** The size that the engine is told. */
    get size() {
        const { state, declared } = this;
        const isGiven = ({ name }) => state.inputs[name] !== undefined;
        return state.size ?? (declared.inputs.some(isGiven) || isRunFile(state.main) ? undefined : STANDARD);
    }

    #size() {
        const message = h('span.message.bad', { hidden: true, role: 'alert' });
        const [across, down] = ['Width', 'Height'].map((label, i) =>
            h('input', {
                type: 'number',
                min: 1,
                step: 1,
                value: this.state.size?.[i] ?? '',
                'aria-label': `${label} of the outputs`,
                placeholder: "inputs'",
                oninput: () => read(),
            }),
        );
        const read = () => {
            const typed = [across.value, down.value];
            const most = this.limit();
            const empty = [across, down].every((input) => input.value === '' && input.validity.valid);
            const sides = typed.map(Number);
            const fits = empty || sides.every((side) => Number.isInteger(side) && side >= 1 && side <= most);
            message.hidden = fits;
            message.textContent = fits
                ? ''
                : `size: expected two sides from 1 to ${most}, which this device can hold, or none; got "${typed.join(' × ')}"`;
            for (const input of [across, down]) input.setAttribute('aria-invalid', String(!fits));
            if (!this.#holds('size', fits, message.textContent)) return;
            this.state.size = empty ? null : sides;
            this.onchange();
        };
        this.sizeMessage = message;
        return h('div', {}, h('div.row', {}, 'Size of the outputs', across, '×', down), message);
    }

    // Keeps what is wrong in an entry, or forgets it; tells whether it fits.
    #holds(key, fits, text) {
        if (fits) this.#wrong.delete(key);
        else this.#wrong.set(key, text);
        if (!fits) this.onwrong();
        return fits;
    }

    #number(label, key, properties) {
        const onchange = ({ target }) => {
            const fits = target.value === '' ? target.validity.valid : Number.isFinite(Number(target.value)) && target.validity.valid;
            target.setAttribute('aria-invalid', String(!fits));
            if (!this.#holds(key, fits, `${label}: expected a number that fits, got "${target.value}"`)) return;
            this.state[key] = target.value === '' ? null : Number(target.value);
            this.onchange();
        };
        return h('label.field', {}, label, h('input', { type: 'number', value: this.state[key] ?? '', onchange, ...properties }));
    }

    #choice(label, key, choices, standard) {
        const pairs = [[null, standard], ...choices.map((choice) => (Array.isArray(choice) ? choice : [choice, choice]))];
        const onchange = ({ target }) => {
            [this.state[key]] = pairs[target.selectedIndex];
            this.onchange();
        };
        const select = h(
            'select',
            { onchange },
            pairs.map(([value, text]) => h('option', { value: String(value) }, text)),
        );
        select.value = String(this.state[key]);
        return h('label.field', {}, label, select);
    }

    #drawFeedback({ feedback }) {
        const { inputs, outputs, feedback: described = {} } = this.declared;
        const rows = inputs.length ? outputs.map(({ name }) => this.#feeds(name, inputs, described[name], feedback[name])) : [];
        this.feedback.replaceChildren(...(rows.length ? [h('fieldset.group', {}, h('legend', {}, 'Feedback'), rows)] : []));
    }

    #feeds(output, inputs, described, chosen) {
        const id = unique('feedback');
        const onchange = ({ target }) => {
            if (target.value) this.state.feedback[output] = target.value;
            else delete this.state.feedback[output];
            this.onchange();
        };
        const none = described && !chosen ? `${described}, as the run file says` : 'nothing';
        const select = h(
            'select',
            { id, onchange },
            h('option', { value: '' }, none),
            inputs.map(({ name }) => h('option', { value: name }, name)),
        );
        select.value = chosen ?? '';
        return h('div.row', {}, h('label', { htmlFor: id }, h('code', {}, output), ' becomes in the next step'), select);
    }
}

/** The program alone, as `Engine.declares` takes it. */
export async function programOf(state) {
    const text = state.files[state.main];
    const dialect = state.dialect ?? undefined;
    const files = await filesOf(state);
    if (isRunFile(state.main)) return { runFile: text, name: state.main, files, dialect };
    return { shader: text, name: state.main, dialect };
}

async function filesOf(state) {
    const files = { ...state.files };
    delete files[state.main];
    for (const [name, rule] of Object.entries(state.given)) {
        const bytes = await bytesOf(rule);
        if (bytes) files[name] = bytes;
    }
    return files;
}

/** All that the engine is given, of what the program declares. `read(name, bytes)` makes an array of a file. */
export async function settingsOf(state, declared, size, read) {
    const among = (table, names) => Object.fromEntries(Object.entries(table).filter(([name]) => names.has(name)));
    const names = (list) => new Set(list.map(({ name }) => name));
    const or = (value) => value ?? undefined;
    return {
        ...(await programOf(state)),
        inputs: await arraysOf(among(state.inputs, names(declared.inputs)), read),
        uniforms: among(state.uniforms, names(declared.uniforms)),
        feedback: feedbackOf(state, names(declared.outputs), names(declared.inputs)),
        size,
        seed: or(state.seed),
        rate: or(state.rate),
        wrap: or(state.wrap),
        filter: or(state.filter),
        flip: or(state.flip),
    };
}

async function arraysOf(rules, read) {
    const found = {};
    for (const [name, rule] of Object.entries(rules)) {
        if (!/^(file|sample):/.test(rule)) {
            found[name] = rule;
            continue;
        }
        const bytes = await bytesOf(rule);
        const file = rule.slice(rule.indexOf(':') + 1);
        if (!bytes) throw new Error(`input ${name}: ${lackOf(file)}`);
        found[name] = await read(name, file, bytes);
    }
    return found;
}

function lackOf(file) {
    if (!file) return 'expected a file, and none was chosen';
    return refusalOf(file) ?? `give the file "${file}" again: files are not in a link`;
}
