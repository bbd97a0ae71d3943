// What the page says: one live region for what happens, a message beside what it concerns, and errors of texts with their lines.
import { h } from '../common/dom.js';

const live = document.querySelector('#live');

/** Tells a screen reader, and nobody else. */
export function announce(text) {
    live.textContent = text;
}

/** A place for one message at a time. `show(text, { kind, actions })`, where actions are [name, function]; `clear()`. */
export function messageBox(properties = {}) {
    const box = h('div.message', { hidden: true, ...properties });
    return {
        element: box,
        show(text, { kind = 'bad', actions = [] } = {}) {
            const buttons = actions.map(([name, onclick]) => h('button', { type: 'button', onclick }, name));
            box.className = `message ${kind}`;
            box.setAttribute('role', kind === 'bad' ? 'alert' : 'status');
            box.replaceChildren(text, ...(buttons.length ? [h('div.row', {}, buttons)] : []));
            box.hidden = false;
        },
        clear() {
            box.hidden = true;
            box.replaceChildren();
        },
    };
}

/** The list of errors below the editor: each is a button that leads to its line. */
export function diagnosticList(container, go) {
    const list = h('ul.diagnostics', { 'aria-label': 'Errors of the texts' });
    container.append(list);
    return (diagnostics) => {
        list.replaceChildren(
            ...diagnostics.map((found) => {
                const place = `${found.file}:${found.line}${found.column ? `:${found.column}` : ''}`;
                return h('li', {}, h('button.quiet', { type: 'button', onclick: () => go(found) }, place), ` ${found.message}`);
            }),
        );
        list.hidden = !diagnostics.length;
    };
}
