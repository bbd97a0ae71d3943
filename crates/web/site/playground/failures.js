// Errors, each where the person looks: in the text at its line, beside an input, below the program, or beside the result.
import { announce, diagnosticList, messageBox } from './messages.js';

const $ = (id) => document.getElementById(id);

const SLOW =
    'The device has not answered for 5 seconds. A shader that loops for ever, or much work, can be the cause. ' +
    'Stop ends the engine and starts another one; what you typed stays.';
const STOPPED = 'The run was stopped. Change what made it long, and run it again.';

export class Failures {
    #run = messageBox();
    #slow = messageBox();
    #text = messageBox();

    /** `stop()` ends the engine, and `anew()` starts another one and runs the program again. */
    constructor(state, { editor, tabs, inputs }, { stop, anew }) {
        Object.assign(this, { state, editor, tabs, inputs, stop, anew });
        $('diagnostics').append(this.#text.element);
        $('run-messages').append(this.#slow.element, this.#run.element);
        this.list = diagnosticList($('diagnostics'), (found) => {
            $('program').open = true;
            editor.go(found);
            tabs.draw();
        });
    }

    /** An error of a run. */
    show(error) {
        this.#place(error, this.#run);
    }

    /** An error of the text, found while a person types. */
    ofText(error) {
        this.#place(error, this.#text);
    }

    clear() {
        this.#run.clear();
        this.#mark([]);
    }

    slow(isSlow) {
        if (isSlow) this.#slow.show(SLOW, { actions: [['Stop', this.stop]] });
        else this.#slow.clear();
    }

    stopped() {
        this.clear();
        this.#run.show(STOPPED, { kind: 'note' });
    }

    #place(error, box) {
        // Who stopped the engine knows it, and common/engine.js says what the browser lacks.
        if (error.kind === 'stopped' || error.kind === 'unsupported') return;
        const { message, diagnostics = [] } = error;
        if (error.kind === 'lost') {
            this.#run.show(`The device was lost: ${message}. What you typed stays.`, { actions: [['Start again', this.anew]] });
            return;
        }
        const known = distinct(diagnostics.filter(({ file }) => Object.hasOwn(this.state.files, file)));
        this.#mark(known);
        if (known.length) {
            announce(`${known.length} ${known.length === 1 ? 'error' : 'errors'}; the first in line ${known[0].line}: ${known[0].message}`);
            return;
        }
        const input = message.match(/^input [`"']?([\w.]+)/)?.[1];
        if (input) this.inputs.complain(input, message);
        // Beside the result too: the inputs may be far from there.
        box.show(message);
    }

    #mark(diagnostics) {
        this.#text.clear();
        this.editor.mark(diagnostics);
        this.list(diagnostics);
        this.tabs.mark(diagnostics.map(({ file }) => file));
    }
}

// A macro that is used twice repeats its error.
const distinct = (list) => [...new Map(list.map((found) => [`${found.file}:${found.line} ${found.message}`, found])).values()];
