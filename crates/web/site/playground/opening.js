// What the page begins with: the state of its address, of the last visit, or an example.
import { h } from '../common/dom.js';
import { stateOf as stateOfLink } from '../common/link.js';
import { cleaned, kept, same } from './state.js';

const FIRST = 'reaction_diffusion';

// The texts of the gallery come when they are asked for.
const gallery = () => import('../gallery/programs.js');

async function example(name) {
    const { programOf, stateOf } = await gallery();
    return cleaned(stateOf(programOf(name)));
}

/**
 * The state to begin with: `{ state, own, halted, message, actions }`; a `halted` one is shown and not run.
 * `own` is whether it is the one of the last visit here. A wrong link is
 * a message, and the page then has what it had before.
 */
export async function openFirst({ search, hash, origin, storage }) {
    const last = storage ? kept() : undefined;
    const name = new URLSearchParams(search).get('example');
    const nothing = { actions: () => [] };
    // A program that gave no result may hang, and then a reload must not start it.
    const halted = last?.answered === false;
    try {
        const linked = hash ? cleaned(await stateOfLink(hash)) : name ? await example(name) : undefined;
        if (!linked) {
            const state = last?.state ?? (await example(FIRST));
            return { ...nothing, state, own: Boolean(last), touched: last?.touched, halted };
        }
        if (!last?.touched || same(last.state, linked))
            return { ...nothing, state: linked, halted: halted && last.address === origin };
        // The same address as at the last visit: what was changed since then is not thrown away.
        if (last.address === origin) return { ...asLeft(last.state, linked), halted };
        return replacing(last.state, linked);
    } catch (error) {
        const state = last?.state ?? (await example(FIRST));
        return {
            ...nothing,
            state,
            own: Boolean(last),
            touched: last?.touched,
            halted,
            message: { text: `The address cannot be opened: ${error.message}. The page has what it had before.`, kind: 'bad' },
        };
    }
}

const asLeft = (state, linked) => ({
    state,
    own: true,
    touched: true,
    message: { text: 'This is the program as you left it; it was changed since the link was opened.', kind: 'note' },
    actions: (replace) => [['As the link has it', () => replace(linked)]],
});

const replacing = (before, linked) => ({
    state: linked,
    own: false,
    message: { text: 'A link was opened. What was here before is kept.', kind: 'note' },
    actions: (replace) => [['Back to what was here before', () => replace(before)]],
});

/** Fills a select with the examples; a choice replaces the program. */
export async function openProgram(select, replace) {
    const { PROGRAMS } = await gallery();
    select.append(...PROGRAMS.map(({ name, title }) => h('option', { value: name }, title)));
    select.onchange = async () => {
        if (select.value) replace(await example(select.value));
        select.value = '';
    };
}
