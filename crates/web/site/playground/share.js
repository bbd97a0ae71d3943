// What leads from here: the native command, a link to the state, an iframe.
import { h } from '../common/dom.js';
import { fragmentOf } from '../common/link.js';
import { commandOf } from './command.js';
import { bytesOf, rulesOf, save } from './files.js';
import { announce, messageBox } from './messages.js';
import { feedbackOf, isRunFile } from './settings.js';
import { EMPTY } from './state.js';

const $ = (id) => document.getElementById(id);
// Some servers and chat programs cut longer addresses.
const LONG = 8000;

/** `facts()` gives the state and what `commandOf` needs besides. */
export function share(facts) {
    const message = messageBox();
    $('share-message').append(message.element);

    const shared = () => {
        const { state, declared, isKnown } = facts();
        return isKnown ? shortened(state, declared) : state;
    };
    const address = async () => {
        const here = new URL(location.href);
        here.hash = await fragmentOf(shared());
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

    // Written anew only where it is another one: a button that has the focus must stay.
    const note = (state, tables) => {
        const text = commandNote(state) + (tables.length ? ` The command reads no .csv: save ${tables.join(', ')} as .npy here.` : '');
        if ($('command-note').dataset.key === text) return;
        $('command-note').dataset.key = text;
        const button = (name) => h('button', { type: 'button', onclick: () => saveTable(name) }, `Save ${npy(name)}`);
        $('command-note').replaceChildren(text, ...tables.flatMap((name) => [' ', button(name)]));
    };
    const saveTable = async (name) => {
        try {
            const bytes = await bytesOf(`file:${name}`);
            if (!bytes) throw new Error(`give the file "${name}" again first`);
            const { data, shape } = await facts().ask((e) => e.readFile(name, bytes));
            save(npy(name), await facts().ask((e) => e.writeFile(npy(name), { data, shape })));
        } catch (error) {
            if (error.kind !== 'stopped') message.show(`${npy(name)}: ${error.message}`);
        }
    };

    $('copy-command').onclick = () => copied($('command').textContent, 'The command');
    $('copy-link').onclick = async () => {
        const here = await address();
        history.replaceState(null, '', here.hash);
        facts().linked(here.hash);
        await copied(here.href, 'The link', notes(shared(), here.href));
    };
    $('copy-frame').onclick = async () => {
        const here = await address();
        here.search = '?embed';
        const text = `<iframe src="${here.href}" width="640" height="720" title="quadrille" allow="clipboard-write"></iframe>`;
        await copied(text, 'The HTML', notes(shared(), here.href));
    };

    return {
        message,
        /** Writes the command anew. */
        update() {
            const { state, ...rest } = facts();
            const text = commandOf(state, rest);
            if ($('command').textContent !== text) $('command').textContent = text;
            note(state, tablesOf(state, rest.declared));
        },
        address,
    };
}

const npy = (name) => name.replace(/\.csv$/i, '.npy');

// The .csv files that inputs read.
const tablesOf = ({ inputs }, declared) => [
    ...new Set(
        Object.entries(inputs)
            .filter(([name, rule]) => declared.inputs.has(name) && /^file:.*\.csv$/i.test(rule))
            .map(([, rule]) => rule.slice(5)),
    ),
];

// Without what belongs to earlier versions of the program, and without what is as it is anyway.
function shortened(state, declared) {
    const among = (table, names) => Object.fromEntries(Object.entries(table).filter(([name]) => names.has(name)));
    const used = {
        ...state,
        inputs: among(state.inputs, declared.inputs),
        uniforms: among(state.uniforms, declared.uniforms),
        ranges: among(state.ranges, declared.uniforms),
        feedback: feedbackOf(state, declared.outputs, declared.inputs),
    };
    return Object.fromEntries(Object.entries(used).filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(EMPTY[key])));
}

function notes({ inputs = {}, given = {} }, address) {
    const files = rulesOf({ inputs, given })
        .filter((rule) => rule.startsWith('file:'))
        .map((rule) => rule.slice(5));
    const again = files.length ? `Files are not in it: whoever opens it gives ${files.join(', ')} again. ` : '';
    const long = address.length > LONG ? `It has ${address.length} characters, which some programs cut. ` : '';
    return again + long;
}

function commandNote(state) {
    const texts = isRunFile(state.main) ? `the files of the tabs, ${Object.keys(state.files).join(', ')}` : state.main;
    const sampled = rulesOf(state).some((rule) => rule.startsWith('sample:'));
    const swapped = Object.entries(state.given).filter(([path, rule]) => !path.endsWith(rule.slice(rule.indexOf(':') + 1)));
    const instead = swapped.map(([path, rule]) => ` Here ${rule.slice(rule.indexOf(':') + 1)} stands for ${path}.`).join('');
    const plate = sampled ? ' plate.png is docs/plate.png of the repository.' : '';
    return `It reads ${texts}: save it by "Files" above, at its path.${plate}${instead}`;
}
