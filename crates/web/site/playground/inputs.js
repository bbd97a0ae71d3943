// A row for each sampler: random numbers, zeros, a ramp, a sample picture, or a file of the person's.
import { h, unique } from '../common/dom.js';
import { droppable, isHeld, refusalOf, refuse, sampleNames, take } from './files.js';
import { messageBox } from './messages.js';

const RULE = /^(random|zeros|ramp):(\d+)x(\d+)(?:x([1-4]))?$/;
const KINDS = { random: 'random numbers from 0 to 1', zeros: 'zeros', ramp: 'a ramp from 0 to 1', file: 'a file' };
const FORMATS = '.npy,.png,.jpg,.jpeg,.csv';

/** What an input gets that nobody has chosen anything for. */
function standard({ name, type }) {
    if (type !== 'sampler2D') return 'zeros:256x256';
    return /^iChannel\d$|image/i.test(name) ? `sample:${sampleNames[0]}` : 'random:256x256';
}

export class Inputs {
    #rows = new Map();

    /** `limit()` gives the largest side of an array; `onchange(name)` is told when an input is another one, and
     * `onwrong()` when a size is wrong. */
    constructor(container, state, { limit, onchange, onwrong }) {
        Object.assign(this, { container, state, limit, onchange, onwrong });
    }

    /** Shows a row for each declared input; rows that were there keep what was typed into them. */
    show(declared) {
        const rows = declared.map((input) => {
            const key = `${input.name} ${input.type} ${input.from ?? ''}`;
            if (this.#rows.get(input.name)?.key !== key) this.#rows.set(input.name, { key, ...this.#row(input) });
            return this.#rows.get(input.name).element;
        });
        if (!rows.length) return this.container.replaceChildren();
        const group = this.container.querySelector('fieldset') ?? h('fieldset.group', {}, h('legend', {}, 'Inputs'));
        const shown = [...group.querySelectorAll('.input-row')];
        if (shown.length !== rows.length || shown.some((row, i) => row !== rows[i])) group.replaceChildren(group.firstChild, ...rows);
        if (!group.parentNode) this.container.replaceChildren(group);
    }

    /** Forgets all rows, for another program. */
    reset() {
        this.#rows.clear();
        this.container.replaceChildren();
    }

    /** Puts a message beside an input; tells whether there is such an input. */
    complain(name, text) {
        this.#rows.get(name)?.message.show(text);
        return this.#rows.has(name);
    }

    clear() {
        for (const [name, row] of this.#rows) {
            row.message.clear();
            row.look(this.state.inputs[name]);
            if (row.wrong()) row.message.show(row.wrong());
        }
    }

    /** What is wrong in a size, if anything is: a run would have the size before. */
    get wrong() {
        return [...this.#rows.values()].filter((row) => row.element.isConnected).map((row) => row.wrong()).find(Boolean);
    }

    /** Gives a dropped file to the only input, or to the one that wants a file of that name. Tells whether one took it. */
    async offer(file) {
        const shown = [...this.#rows].filter(([, row]) => row.element.isConnected);
        const wanting =
            shown.find(([name]) => this.state.inputs[name] === `file:${file.name}`) ?? (shown.length === 1 ? shown[0] : undefined);
        if (!wanting) return false;
        await wanting[1].give(file);
        return true;
    }

    #row(input) {
        const { state } = this;
        const { name, type, from } = input;
        if (!from) state.inputs[name] ??= standard(input);
        const [, , width = '256', height = '256', channels = '1'] = state.inputs[name]?.match(RULE) ?? [];
        const number = (label, value) => h('input', { type: 'number', min: 1, step: 1, value, 'aria-label': `${label} of ${name}` });
        const parts = {
            kind: h('select', { 'aria-label': `What ${name} holds` }),
            width: number('Width', width),
            height: number('Height', height),
            channels: h(
                'select',
                { 'aria-label': `Channels of ${name}` },
                [1, 2, 3, 4].map((n) => h('option', { value: n }, n)),
            ),
            file: h('input', { type: 'file', accept: FORMATS, 'aria-label': `File for ${name}` }),
            summary: h('span.soft'),
        };
        parts.channels.value = channels;
        parts.kind.append(...this.#kinds(from));
        const channelled = h('label.field', {}, 'channels', parts.channels);
        const sizes = h('span.row', {}, parts.width, '×', parts.height, channelled);
        const message = messageBox({ id: unique('input-message') });
        const element = h(
            'fieldset.input-row',
            {},
            h('legend', {}, h('code', {}, name), h('span.soft', {}, ` ${type}`)),
            h('div.row', {}, parts.kind, sizes, parts.file, parts.summary),
            message.element,
        );
        element.setAttribute('aria-describedby', message.element.id);

        let wrong;
        const look = (rule) => {
            const [kind] = (rule ?? 'from:').split(':');
            parts.kind.value = kind === 'sample' ? rule : kind;
            sizes.hidden = !(kind in KINDS) || kind === 'file';
            channelled.hidden = kind === 'ramp';
            parts.file.hidden = kind !== 'file';
            parts.summary.textContent = rule?.startsWith('file:') && rule !== 'file:' ? rule.slice(5) : '';
            const refusal = kind === 'file' && refusalOf(rule.slice(5));
            if (refusal) {
                message.show(`input ${name}: ${refusal}`);
            } else if (kind === 'file' && !isHeld(rule)) {
                const text =
                    rule === 'file:'
                        ? `choose a file for ${name}, or drop one here`
                        : `give the file "${rule.slice(5)}" again: files are not in a link`;
                message.show(text, { kind: 'note' });
            }
        };
        const set = (rule) => {
            state.inputs[name] = rule;
            if (rule === undefined) delete state.inputs[name];
            wrong = undefined;
            message.clear();
            look(rule);
            this.onchange(name);
        };
        const measured = () => {
            const sides = [parts.width, parts.height].map((input) => this.#side(input));
            wrong = sides.find((side) => side.wrong)?.wrong;
            if (wrong) {
                wrong = `input ${name}: ${wrong}`;
                message.show(wrong);
                return this.onwrong();
            }
            // A ramp has one channel.
            const channels = parts.kind.value === 'ramp' ? '' : `x${parts.channels.value}`;
            return set(`${parts.kind.value}:${sides[0].value}x${sides[1].value}${channels}`);
        };
        const give = async (file) => {
            try {
                set(`file:${await take(file)}`);
            } catch (error) {
                // The file before it is not what the person wants any more.
                refuse(file.name, error.message);
                set(`file:${file.name}`);
            }
        };
        parts.kind.onchange = () => {
            const kind = parts.kind.value;
            if (kind === 'from') set(undefined);
            else if (kind === 'file' || kind.startsWith('sample:')) set(kind === 'file' ? `file:${parts.file.files[0]?.name ?? ''}` : kind);
            else measured();
        };
        for (const part of [parts.width, parts.height, parts.channels]) part.onchange = measured;
        parts.file.onchange = () => parts.file.files.length && give(parts.file.files[0]);
        droppable(element, ([file]) => give(file));
        look(state.inputs[name]);
        return { element, message, look, give, wrong: () => wrong };
    }

    #kinds(from) {
        const option = (value, text) => h('option', { value }, text);
        const own = from ? [option('from', from)] : [];
        return [
            ...own,
            ...Object.entries(KINDS).map(([kind, text]) => option(kind, text)),
            ...sampleNames.map((name) => option(`sample:${name}`, `the sample picture ${name}`)),
        ];
    }

    #side(input) {
        const value = Number(input.value);
        const most = this.limit();
        const fits = Number.isInteger(value) && value >= 1 && value <= most;
        input.setAttribute('aria-invalid', String(!fits));
        return fits ? { value } : { wrong: `expected a side from 1 to ${most}, which this device can hold, got "${input.value}"` };
    }
}
