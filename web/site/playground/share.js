// What leads from here: the native command, a link to the state, an iframe.
import { h } from '../common/dom.js';
import { fragmentOf } from '../common/link.js';
import { commandOf } from './command.js';
import { announce, messageBox } from './messages.js';

const $ = (id) => document.getElementById(id);
// Some servers and chat programs cut longer addresses.
const LONG = 8000;

/** `facts()` gives the state and what `commandOf` needs besides. */
export function share(facts) {
    const message = messageBox();
    $('share-message').append(message.element);

    const address = async () => {
        const { state } = facts();
        const here = new URL(location.href);
        here.hash = await fragmentOf(state);
        here.search = '';
        return here;
    };
    const copied = async (text, what, more = '') => {
        try {
            await navigator.clipboard.writeText(text);
            message.show(`${what} is in the clipboard. ${more}`, { kind: 'good' });
            announce(`${what} is in the clipboard`);
        } catch {
            // Without the right to write there it is shown, selected, to be copied by hand.
            const area = h('textarea', { value: text, rows: 3, cols: 60, readOnly: true, 'aria-label': what });
            message.show(`The browser does not let the page use the clipboard. ${more}Copy it from here:`, { kind: 'note' });
            message.element.append(area);
            area.select();
        }
    };

    $('copy-command').onclick = () => copied($('command').textContent, 'The command');
    $('copy-link').onclick = async () => {
        const here = await address();
        history.replaceState(null, '', here.hash);
        facts().linked(here.hash);
        await copied(here.href, 'The link', notes(facts().state, here.href));
    };
    $('copy-frame').onclick = async () => {
        const here = await address();
        here.search = '?embed';
        const text = `<iframe src="${here.href}" width="640" height="720" title="quadrille" allow="clipboard-write"></iframe>`;
        await copied(text, 'The HTML', notes(facts().state, here.href));
    };

    return {
        message,
        /** Writes the command anew. */
        update() {
            const { state, ...rest } = facts();
            const text = commandOf(state, rest);
            if ($('command').textContent !== text) $('command').textContent = text;
            $('command-note').textContent = commandNote(state);
        },
        address,
    };
}

function notes(state, address) {
    const files = [...Object.values(state.inputs), ...Object.values(state.given)].filter((rule) => rule.startsWith('file:')).map((rule) => rule.slice(5));
    const given = files.length ? `Files are not in it: whoever opens it gives ${files.join(', ')} again. ` : '';
    const long = address.length > LONG ? `It has ${address.length} characters, which some programs cut. ` : '';
    return given + long;
}

function commandNote(state) {
    const names = Object.keys(state.files);
    const texts = names.length > 1 ? `the files of the tabs: ${names.join(', ')}` : names[0];
    return `It reads ${texts}; save them by "Files" above, each at its path.`;
}
