// A tab for each file, and the form that adds, renames and removes files.
import { h } from '../common/dom.js';
import { save } from './files.js';
import { messageBox } from './messages.js';

const $ = (id) => document.getElementById(id);

/** Joins the tabs, the editor and the names in the state. `onchange` is told when files come, go or change their names. */
export function tabs(editor, state, { onchange }) {
    const message = messageBox();
    $('file-message').append(message.element);
    let wrong = new Set();

    function draw() {
        const names = Object.keys(state.files);
        $('tabs').replaceChildren(
            ...names.map((name) =>
                h(
                    `button${wrong.has(name) ? '.wrong' : ''}`,
                    {
                        type: 'button',
                        role: 'tab',
                        'aria-selected': String(name === editor.current),
                        'aria-controls': 'editor',
                        tabIndex: name === editor.current ? 0 : -1,
                        onclick: () => open(name),
                        onkeydown: move,
                    },
                    name,
                ),
            ),
        );
        $('main-file').replaceChildren(
            ...names.filter((name) => !/\.(glsl|vs|vert)$/.test(name)).map((name) => h('option', { value: name }, name)),
        );
        $('main-file').value = state.main;
        $('main-field').hidden = names.length < 2;
        $('file-remove').disabled = names.length < 2;
        $('file-name').value = editor.current;
    }

    function open(name) {
        editor.open(name);
        draw();
    }

    function move(event) {
        const names = Object.keys(state.files);
        const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
        if (!by) return;
        open(names[(names.indexOf(editor.current) + by + names.length) % names.length]);
        $('tabs').querySelector('[aria-selected=true]').focus();
    }

    function chosenName() {
        const name = $('file-name').value.trim();
        message.clear();
        if (name && !Object.hasOwn(state.files, name)) return name;
        message.show(name ? `there is a file "${name}" already` : 'expected a name for the file, got none');
        $('file-name').focus();
        return undefined;
    }

    function changed() {
        state.files = editor.files;
        draw();
        onchange();
    }

    $('file-add').onclick = () => {
        const name = chosenName();
        if (!name) return;
        editor.put(name, '');
        editor.open(name);
        changed();
    };
    $('file-rename').onclick = () => {
        const name = chosenName();
        if (!name) return;
        if (state.main === editor.current) state.main = name;
        editor.rename(editor.current, name);
        changed();
    };
    $('file-remove').onclick = () => {
        const { current } = editor;
        const text = editor.files[current];
        editor.remove(current);
        const [first] = Object.keys(editor.files);
        if (state.main === current) state.main = first;
        editor.open(state.main);
        changed();
        const back = () => {
            editor.put(current, text);
            editor.open(current);
            message.clear();
            changed();
        };
        message.show(`${current} was removed`, { kind: 'good', actions: [['Bring it back', back]] });
    };
    $('file-save').onclick = () => save(editor.current, editor.files[editor.current]);
    $('main-file').onchange = ({ target }) => {
        state.main = target.value;
        onchange();
    };

    return {
        draw,
        message,
        /** Marks the tabs of files with errors. */
        mark(names) {
            wrong = new Set(names);
            draw();
        },
    };
}
