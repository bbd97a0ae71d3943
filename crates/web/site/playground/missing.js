// What a run file names and nobody has given: each file is asked for by its name.
import { h } from '../common/dom.js';
import { isArray, sampleNames } from './files.js';
import { isRunFile } from './settings.js';

const $ = (id) => document.getElementById(id);
const last = (path) => path.split('/').at(-1);

/**
 * Asks for missing files. `told` has `text(path)` for an empty text, `rule(path, rule)` for a sample, and `files(list, path)` for what was
 * chosen.
 */
export function askFor(missing, state, told) {
    const standing = Object.entries(state.given).filter(([path]) => isRunFile(state.main) && !missing.includes(path));
    const key = JSON.stringify([missing, standing]);
    if ($('missing').dataset.key === key) return;
    $('missing').dataset.key = key;
    const groups = [];
    if (missing.length)
        groups.push(
            h(
                'fieldset.group',
                {},
                h('legend', {}, `Files that ${state.main} names and that are not here`),
                missing.map((path) => row(path, state.given[path], told)),
            ),
        );
    if (standing.length)
        groups.push(
            h(
                'fieldset.group',
                {},
                h('legend', {}, `Files of ${state.main}`),
                standing.map((entry) => given(entry, told)),
            ),
        );
    $('missing').replaceChildren(...groups);
}

function row(path, before, told) {
    const choose = h('input', {
        type: 'file',
        'aria-label': `Choose ${path}`,
        onchange: ({ target }) => told.files([...target.files], path),
    });
    const other = isArray(path)
        ? sampleNames.map((name) =>
              h('button', { type: 'button', onclick: () => told.rule(path, `sample:${name}`) }, `Take the sample picture ${name}`),
          )
        : [h('button', { type: 'button', onclick: () => told.text(path) }, 'Begin with an empty text')];
    const again = before?.startsWith('file:') ? h('span', {}, `give ${before.slice(5)} again: files are not in a link`) : undefined;
    return h('div.row', {}, h('code', {}, path), again, choose, other);
}

function given([path, rule], told) {
    const choose = h('input', {
        type: 'file',
        'aria-label': `Another file for ${path}`,
        onchange: ({ target }) => told.files([...target.files], path),
    });
    const [kind, name] = [rule.split(':')[0], rule.slice(rule.indexOf(':') + 1)];
    const text = kind === 'sample' ? `the sample picture ${name}` : name;
    return h('div.row', {}, h('code', {}, last(path)), h('span', {}, `is ${text}`), h('label.field', {}, 'another: ', choose));
}

/** The missing path that a file of this name can stand for. */
export const placeFor = (name, missing) => missing.find((path) => last(path) === name);
