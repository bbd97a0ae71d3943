// The editor: a text for each file, with its own history, and errors underlined where the person made them.
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import {
    HighlightStyle,
    LRLanguage,
    StreamLanguage,
    bracketMatching,
    continuedIndent,
    delimitedIndent,
    indentNodeProp,
    indentOnInput,
    indentUnit,
    syntaxHighlighting,
} from '@codemirror/language';
import { lintGutter, setDiagnostics } from '@codemirror/lint';
import { EditorState, Prec } from '@codemirror/state';
import { EditorView, drawSelection, highlightActiveLine, highlightSpecialChars, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { parser } from 'lezer-glsl';

const indents = indentNodeProp.add({
    CompoundStatement: delimitedIndent({ closing: '}' }),
    'IfStatement ForStatement WhileStatement': continuedIndent({ except: /^\s*({|else\b)/ }),
});
const glsl = LRLanguage.define({
    parser: parser.configure({ props: [indents] }),
    languageData: { commentTokens: { line: '//', block: { open: '/*', close: '*/' } }, indentOnInput: /^\s*\}$/ },
});
const toml = StreamLanguage.define({
    token(stream) {
        if (stream.match(/#.*/)) return 'comment';
        if (stream.sol() && stream.match(/\s*\[.*?\]/)) return 'heading';
        if (stream.match(/"[^"]*"|'[^']*'/)) return 'string';
        if (stream.match(/[\w."-]+(?=\s*=)/)) return 'propertyName';
        if (stream.match(/-?\d[\d.e+-]*|true|false/)) return 'number';
        stream.next();
        return null;
    },
    languageData: { commentTokens: { line: '#' } },
});

const colours = HighlightStyle.define([
    { tag: [tags.comment, tags.lineComment, tags.blockComment], color: 'light-dark(#5a6472, #9aa4b4)', fontStyle: 'italic' },
    { tag: [tags.keyword, tags.controlKeyword, tags.modifier, tags.definitionKeyword], color: 'light-dark(#8a1c8f, #e6a3ea)' },
    { tag: [tags.typeName, tags.standard(tags.typeName)], color: 'light-dark(#0b57c4, #8ab8ff)' },
    { tag: [tags.number, tags.integer, tags.float, tags.bool], color: 'light-dark(#0a6b4f, #7fd6b4)' },
    { tag: [tags.string, tags.processingInstruction, tags.macroName, tags.meta], color: 'light-dark(#8c4300, #f0b27a)' },
    { tag: [tags.function(tags.variableName), tags.heading], color: 'light-dark(#704b00, #e6d08a)', fontWeight: '600' },
    { tag: tags.propertyName, color: 'light-dark(#0b57c4, #8ab8ff)' },
]);
const look = EditorView.theme({
    '&': { color: 'var(--ink)' },
    '.cm-scroller': { fontFamily: 'var(--mono)', fontSize: '0.875rem', lineHeight: '1.5' },
    '.cm-gutters': { backgroundColor: 'var(--panel)', color: 'var(--soft)', borderRight: '1px solid var(--faint)' },
    '.cm-content': { caretColor: 'var(--ink)' },
    '.cm-cursor': { borderLeftColor: 'var(--ink)' },
    '.cm-activeLine': { backgroundColor: 'light-dark(#0b57c410, #8ab8ff14)' },
    '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': { backgroundColor: 'light-dark(#bcd6ff, #2c4a78) !important' },
    '.cm-tooltip': { backgroundColor: 'var(--panel)', color: 'var(--ink)', border: '1px solid var(--line)' },
    '.cm-lintRange-error': { textDecoration: 'underline wavy var(--bad)', backgroundImage: 'none' },
    '.cm-matchingBracket': { outline: '1px solid var(--line)' },
});

const language = (name) => (name.endsWith('.toml') ? toml : glsl);

export class Editor {
    #states = new Map();
    #current;
    #found = [];

    /** `onchange` is told after each edit, `onrun` when a person asks for a run. */
    constructor(parent, { onchange, onrun }) {
        const run = () => {
            onrun();
            return true;
        };
        this.extensions = [
            Prec.highest(keymap.of([{ key: 'Mod-Enter', run }])),
            lineNumbers(),
            highlightSpecialChars(),
            history(),
            drawSelection(),
            indentOnInput(),
            indentUnit.of('    '),
            bracketMatching(),
            highlightActiveLine(),
            lintGutter(),
            keymap.of([...defaultKeymap, ...historyKeymap, indentWithTab]),
            syntaxHighlighting(colours),
            look,
            EditorView.updateListener.of((update) => update.docChanged && onchange()),
        ];
        this.view = new EditorView({ parent });
    }

    /** Replaces all texts. */
    load(files, open) {
        this.#states = new Map(Object.entries(files).map(([name, text]) => [name, this.#state(name, text)]));
        this.#current = undefined;
        this.open(open);
    }

    #state(name, doc) {
        const labels = EditorView.contentAttributes.of({ 'aria-label': `Text of ${name}`, spellcheck: 'false', tabindex: '0' });
        return EditorState.create({ doc, extensions: [...this.extensions, language(name), labels] });
    }

    get current() {
        return this.#current;
    }

    /** All texts by name. */
    get files() {
        this.#hold();
        return Object.fromEntries([...this.#states].map(([name, state]) => [name, state.doc.toString()]));
    }

    open(name) {
        this.#hold();
        this.#current = name;
        this.view.setState(this.#states.get(name));
        this.#mark();
    }

    /** Adds a text, or replaces one as an edit that can be undone. */
    put(name, text) {
        if (name === this.#current) {
            this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: text } });
        } else {
            this.#states.set(name, this.#state(name, text));
        }
    }

    rename(old, name) {
        const entries = Object.entries(this.files).map(([key, text]) => [key === old ? name : key, text]);
        this.load(Object.fromEntries(entries), name);
    }

    remove(name) {
        this.#hold();
        this.#states.delete(name);
        this.#current = undefined;
    }

    /** Underlines errors; those of another file when it is opened. */
    mark(diagnostics) {
        this.#found = diagnostics;
        this.#mark();
    }

    /** Opens the file of an error and puts the cursor there. */
    go({ file, line, column }) {
        if (!this.#states.has(file)) return;
        if (file !== this.#current) this.open(file);
        const { from } = this.#range({ line, column });
        this.view.dispatch({ selection: { anchor: from }, scrollIntoView: true });
        this.view.focus();
    }

    #hold() {
        if (this.#current !== undefined) this.#states.set(this.#current, this.view.state);
    }

    #mark() {
        const here = this.#found.filter((found) => found.file === this.#current);
        const marks = here.map((found) => ({ ...this.#range(found), severity: 'error', message: found.message }));
        this.view.dispatch(setDiagnostics(this.view.state, marks));
    }

    // The word at the column, or the line where there is no column.
    #range({ line, column }) {
        const { doc } = this.view.state;
        const { from, to, text } = doc.line(Math.min(Math.max(1, line), doc.lines));
        if (!column) return { from: from + text.search(/\S|$/), to };
        const start = Math.min(from + column - 1, to);
        const [word] = text.slice(start - from).match(/^(\w+|[^\w\s]?)/);
        return { from: start, to: Math.min(to, start + Math.max(1, word.length)) };
    }
}
