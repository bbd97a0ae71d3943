// Uniforms as sliders with an exact entry, a checkbox for a bool, and one slider for each part of a vector.
import { h, unique } from '../common/dom.js';
import { valueText } from './command.js';

const PARTS = { vec: 'xyzw', ivec: 'xyzw', uvec: 'xyzw', bvec: 'xyzw' };

export class Uniforms {
    #rows = new Map();
    #described = new Map();

    /** `onchange(name, value)` is told of each value. */
    constructor(container, state, { onchange }) {
        Object.assign(this, { container, state, onchange });
    }

    /** Shows a row for each declared uniform. `says` is who gives a value to those that have none here, if anybody does. */
    show(declared, { says }) {
        const own = declared.filter(({ supplied }) => !supplied);
        const rows = own.map((uniform) => {
            const key = JSON.stringify([uniform, says]);
            if (this.#rows.get(uniform.name)?.key !== key) this.#rows.set(uniform.name, { key, element: this.#row(uniform, says) });
            return this.#rows.get(uniform.name).element;
        });
        const supplied = declared.filter(({ supplied }) => supplied).map(({ name }) => name);
        this.#place(rows, supplied);
    }

    reset() {
        this.#rows.clear();
        this.container.replaceChildren();
    }

    #place(rows, supplied) {
        if (!rows.length && !supplied.length) return this.container.replaceChildren();
        const legend = h('legend', {}, 'Uniforms');
        const text = supplied.length ? h('p.soft', {}, `Set by the engine: ${supplied.join(', ')}`) : undefined;
        const group = this.container.querySelector('fieldset');
        const shown = group ? [...group.querySelectorAll(':scope > .uniform')] : [];
        const same =
            group && group.dataset.supplied === supplied.join() && shown.length === rows.length && shown.every((row, i) => row === rows[i]);
        if (same) return;
        const next = h('fieldset.group', {}, legend, rows, text);
        next.dataset.supplied = supplied.join();
        this.container.replaceChildren(next);
    }

    #row({ name, type, value, range }, says) {
        const { state } = this;
        const shape = shapeOf(type);
        const place = h('div.uniform');
        const described = parse(value, shape);
        if (described !== undefined) this.#described.set(name, described);
        else this.#described.delete(name);
        if (range) state.ranges[name] ??= range;
        if (state.uniforms[name] !== undefined) state.uniforms[name] = fitted(state.uniforms[name], shape);
        else if (!says) state.uniforms[name] = described ?? shape.standard;
        const draw = () =>
            place.replaceChildren(
                ...(this.#now(name) === undefined ? [this.#unset(name, says, start)] : this.#set(name, shape, says, draw)),
            );
        const start = () => {
            this.#change(name, shape.standard);
            draw();
        };
        draw();
        return place;
    }

    /** The value that is set here, else what the run file or the header says. */
    #now(name) {
        return this.state.uniforms[name] ?? this.#described.get(name);
    }

    #unset(name, says, start) {
        return h(
            'div.row',
            {},
            h('code', {}, name),
            h('span.soft', {}, `as ${says} says`),
            h('button', { type: 'button', onclick: start }, `Set ${name} here`),
        );
    }

    #set(name, shape, says, draw) {
        const leave = () => {
            delete this.state.uniforms[name];
            this.onchange(name, undefined);
            draw();
        };
        const back = says && h('button.quiet', { type: 'button', onclick: leave }, `${name} as ${says} says`);
        if (shape.kind === 'bool') return [...this.#switches(name, shape), back].filter(Boolean);
        return [...this.#sliders(name, shape), back].filter(Boolean);
    }

    #switches(name, shape) {
        return shape.parts.map((part, i) => {
            const checked = Boolean([this.#now(name)].flat()[i]);
            const onchange = ({ target }) => this.#part(name, i, target.checked);
            return h('label.field', {}, h('input', { type: 'checkbox', checked, onchange }), h('code', {}, name + part));
        });
    }

    #sliders(name, shape) {
        const { state } = this;
        const values = [this.#now(name)].flat();
        state.ranges[name] ??= rangeOf(values, shape);
        const sliders = shape.parts.map((part, i) => this.#slider(name, part, i, values[i], shape));
        const redraw = () => sliders.forEach((slider) => slider.setRange(state.ranges[name]));
        for (const slider of sliders) slider.widened = redraw;
        sliders[0].element.append(this.#ends(name, redraw));
        return sliders.map((slider) => slider.element);
    }

    #slider(name, part, i, value, shape) {
        const { state } = this;
        const id = unique('uniform');
        const range = h('input', { type: 'range', id, step: shape.kind === 'float' ? 'any' : 1 });
        const entry = h('input.entry', {
            value: String(value),
            inputMode: shape.kind === 'float' ? 'decimal' : 'numeric',
            spellcheck: false,
            autocomplete: 'off',
        });
        entry.setAttribute('aria-label', `${name}${part}, exact value`);
        const wrong = h('span.message.bad', { hidden: true, role: 'alert' });
        const slider = {
            element: h('div.slider', {}, h('label.name', { htmlFor: id }, h('code', {}, name + part)), range, entry, wrong),
            setRange: ([low, high]) => {
                Object.assign(range, { min: low, max: high });
                range.value = entry.value;
            },
        };
        range.oninput = () => {
            entry.value = shape.kind === 'float' ? String(Number(Number(range.value).toPrecision(6))) : range.value;
            entry.removeAttribute('aria-invalid');
            wrong.hidden = true;
            this.#part(name, i, Number(entry.value));
        };
        // What was typed stays as it is; a value beyond the slider moves the slider's end.
        entry.oninput = () => {
            const typed = Number(entry.value);
            const fits =
                entry.value.trim() !== '' &&
                Number.isFinite(typed) &&
                (shape.kind === 'float' || Number.isInteger(typed)) &&
                (shape.kind !== 'uint' || typed >= 0);
            entry.setAttribute('aria-invalid', String(!fits));
            wrong.hidden = fits;
            wrong.textContent = fits ? '' : `${name}${part}: expected ${shape.wanted}, got "${entry.value}"`;
            if (!fits) return;
            const [low, high] = state.ranges[name];
            state.ranges[name] = [Math.min(low, typed), Math.max(high, typed)];
            slider.widened();
            this.#part(name, i, typed);
        };
        slider.setRange(state.ranges[name]);
        return slider;
    }

    #ends(name, redraw) {
        const { state } = this;
        const input = (label, i) => {
            const onchange = ({ target }) => {
                const typed = Number(target.value);
                const next = state.ranges[name].with(i, typed);
                const fits = target.value.trim() !== '' && Number.isFinite(typed) && next[0] < next[1];
                target.setAttribute('aria-invalid', String(!fits));
                if (!fits) return;
                state.ranges[name] = next;
                redraw();
                this.onchange();
            };
            return h('input', {
                inputMode: 'decimal',
                value: String(state.ranges[name][i]),
                onchange,
                'aria-label': `${label} of the slider of ${name}`,
            });
        };
        const box = h('details.ends');
        box.append(h('summary', { 'aria-label': `Ends of the slider of ${name}` }, 'ends'));
        box.ontoggle = () =>
            box.open &&
            box.childElementCount === 1 &&
            box.append(h('div.row', {}, 'from', input('Low end', 0), 'to', input('High end', 1)));
        return box;
    }

    #part(name, i, value) {
        const now = this.#now(name);
        this.#change(name, Array.isArray(now) ? now.with(i, value) : value);
    }

    #change(name, value) {
        this.state.uniforms[name] = value;
        this.onchange(name, value);
    }
}

/** How a type is entered: the kind of its numbers, its parts, and a value to begin with. */
function shapeOf(type) {
    const kind = /^(bool|bvec)/.test(type) ? 'bool' : /^(int|ivec)/.test(type) ? 'int' : /^(uint|uvec)/.test(type) ? 'uint' : 'float';
    const wanted = { float: 'a number', int: 'an integer', uint: 'an integer from 0 on' }[kind];
    const [, family, across, down] = type.match(/^(mat|[iub]?vec)(\d)(?:x(\d))?$/) ?? [];
    if (!family) return { kind, wanted, parts: [''], standard: kind === 'bool' ? false : 1, count: 1 };
    const parts =
        family === 'mat'
            ? Array.from({ length: across * (down ?? across) }, (_, i) => `[${Math.floor(i / (down ?? across))}][${i % (down ?? across)}]`)
            : Array.from(PARTS[family].slice(0, across), (letter) => `.${letter}`);
    return { kind, wanted, parts, standard: parts.map(() => (kind === 'bool' ? false : 1)), count: parts.length };
}

// A value of another length or kind, after the type in the shader was changed.
function fitted(value, shape) {
    const values = [value].flat();
    if (values.some((part) => typeof part === 'string')) return parse(valueText(value), shape) ?? shape.standard;
    const part = (i) => values[i] ?? [shape.standard].flat()[i];
    const as = { bool: Boolean, float: Number, int: (x) => Math.round(Number(x)), uint: (x) => Math.max(0, Math.round(Number(x))) }[
        shape.kind
    ];
    const all = shape.parts.map((_, i) => as(part(i)));
    return shape.count === 1 ? all[0] : all;
}

function parse(text, shape) {
    if (text === undefined) return undefined;
    const values = text.split(',').map((part) => (part.trim() === 'true' ? true : part.trim() === 'false' ? false : Number(part)));
    if (values.some(Number.isNaN)) return undefined;
    return fitted(values.length === 1 ? values[0] : values, shape);
}

/** The ends of a slider for values: 0 and a round number above them, or both sides of 0. */
function rangeOf(values, shape) {
    const most = Math.max(...values.map(Math.abs), shape.kind === 'float' ? 0 : 5) || 1;
    const round = 10 ** Math.ceil(Math.log10(most));
    const high = Number((round >= 4 * most && shape.kind === 'float' ? round / 2 : round).toPrecision(6));
    return [values.some((value) => value < 0) ? -high : 0, high];
}
