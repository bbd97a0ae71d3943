// The result: which output is shown and how, and its files.
import { digits, h } from '../common/dom.js';
import { FieldView } from '../common/field-view.js';
import { extent } from '../common/colours.js';
import { save } from './files.js';
import { messageBox } from './messages.js';

const $ = (id) => document.getElementById(id);

export class Result {
    #outputs = [];
    #array;
    #coloured = false;

    /** `onoutput(name)` is told when another output is to be read, `onchange()` of all else that the state keeps. */
    constructor(state, { onoutput, onchange }) {
        Object.assign(this, { state, onoutput, onchange });
        this.view = new FieldView($('view'), { label: 'Output', size: 512 });
        this.message = messageBox();
        $('save-message').append(this.message.element);
        this.#listen();
    }

    /** The name of the output that is shown. */
    get output() {
        return $('output').value || undefined;
    }

    /** Takes over the state's choices. */
    load() {
        const { view } = this.state;
        this.view.setHistogram(view.histogram);
        $('histogram').checked = view.histogram;
        $('hold').checked = view.held !== null;
        this.#held();
    }

    /** Offers these outputs; `coloured` is whether their four channels are a colour. */
    offer(outputs, coloured) {
        this.#outputs = outputs;
        this.#coloured = coloured;
        const names = outputs.map(({ name }) => name);
        options(
            $('output'),
            names.map((name) => [name, name]),
        );
        $('output').value = this.#standard(names) ?? '';
        this.view.label = `Output ${$('output').value}`;
        this.#channels();
    }

    show(array) {
        this.#array = array;
        const chosen = $('channel').value;
        this.view.show(array, { channel: chosen === 'colour' ? 'colour' : Number(chosen) });
        this.#ends();
    }

    clear() {
        this.#array = undefined;
        this.view.clear();
    }

    get isShown() {
        return this.#array !== undefined;
    }

    /** The output that is shown, or that a run would show, of these names. */
    outputAmong(names) {
        return names.includes(this.output) ? this.output : this.#standard(names);
    }

    #standard(names) {
        const { output } = this.state.view;
        return names.includes(output) ? output : (names.findLast((name) => /colou?r|picture/i.test(name)) ?? names.at(-1));
    }

    /** What is shown, as a sentence. */
    get summary() {
        return this.#array ? `${this.view.label} has numbers from ${this.view.extremes.map(digits).join(' to ')}` : '';
    }

    #channels() {
        const output = this.#outputs.find(({ name }) => name === this.output);
        if (!output) return options($('channel'), []);
        const { channels } = extent(output);
        const single = Array.from({ length: channels }, (_, i) => [String(i), channels === 1 ? 'the numbers' : `channel ${i}`]);
        options($('channel'), channels >= 3 ? [...single, ['colour', 'colours']] : single);
        const { channel } = this.state.view;
        const standard = channels >= 3 && (this.#coloured || /colou?r|picture/i.test(output.name)) ? 'colour' : '0';
        $('channel').value = channel === null || (channel !== 'colour' && channel >= channels) ? standard : String(channel);
        if (!$('channel').value) $('channel').value = standard;
        this.#shown();
    }

    // A range belongs to a colour map, and colours have none.
    #shown() {
        const coloured = $('channel').value === 'colour';
        for (const id of ['hold', 'range-low', 'range-high'])
            $(id).parentElement.hidden = coloured || (id !== 'hold' && !$('hold').checked);
    }

    #held() {
        const { held } = this.state.view;
        this.view.setRange(held);
        if (held) [$('range-low').value, $('range-high').value] = held.map(String);
        this.#shown();
    }

    // While it follows the data, the entries have what they would begin with.
    #ends() {
        if (!this.state.view.held)
            [$('range-low').value, $('range-high').value] = this.view.range.map((end) => String(Number(end.toPrecision(6))));
    }

    #listen() {
        const { view } = this.state;
        $('output').onchange = () => {
            Object.assign(this.state.view, { output: this.output, channel: null });
            this.view.label = `Output ${this.output}`;
            this.#channels();
            this.onoutput(this.output);
            this.onchange();
        };
        $('channel').onchange = ({ target }) => {
            this.state.view.channel = target.value === 'colour' ? 'colour' : Number(target.value);
            this.#shown();
            if (this.#array) this.show(this.#array);
            this.onchange();
        };
        $('hold').onchange = ({ target }) => {
            this.state.view.held = target.checked ? [Number($('range-low').value), Number($('range-high').value)] : null;
            this.#held();
            this.onchange();
        };
        for (const [id, i] of [
            ['range-low', 0],
            ['range-high', 1],
        ])
            $(id).oninput = () => this.#end(id, i);
        $('histogram').onchange = ({ target }) => {
            this.state.view.histogram = target.checked;
            this.view.setHistogram(target.checked);
            this.onchange();
        };
        this.view.setHistogram(view.histogram);
    }

    #end(id, i) {
        const typed = Number($(id).value);
        const next = this.state.view.held?.with(i, typed);
        const fits = next && $(id).value.trim() !== '' && next.every(Number.isFinite) && next[0] < next[1];
        $(id).setAttribute('aria-invalid', String(!fits));
        if (!fits) return;
        this.state.view.held = next;
        this.view.setRange(next);
        this.onchange();
    }

    /** Saves what is shown as a file of a kind, by the engine's own writer. */
    async save(kind, write) {
        if (!this.#array) return this.message.show('there is no output yet: run the program first');
        this.message.clear();
        const name = `${(this.output ?? 'output').replaceAll('.', '-')}.${kind}`;
        const { data, shape } = this.#array;
        save(name, await write(name, { data, shape }));
        this.message.show(`${name}: ${shape.join(' × ')} numbers`, { kind: 'good' });
        return undefined;
    }
}

/** Gives a select other options where they differ. */
export function options(select, pairs) {
    const key = JSON.stringify(pairs);
    if (select.dataset.options === key) return;
    select.dataset.options = key;
    select.replaceChildren(...pairs.map(([value, text]) => h('option', { value }, text)));
}
