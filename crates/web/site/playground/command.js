// The command line that repeats what the page shows: written from a state, and read into one, as the gallery's files have it.

import { feedbackOf } from './settings.js';

const DIMENSIONS = /^(\d+)x(\d+)$/;

/** The command of a state. `declared` limits inputs and uniforms to those that the shader has; `steps` were run, where it
 * runs `standardSteps` by itself; `output` is written. */
export function commandOf(state, { declared, steps, standardSteps, output, size }) {
    const words = ['quadrille', 'run', state.main];
    const add = (flag, value) => words.push(flag, value);
    for (const [name, rule] of Object.entries(state.inputs)) if (declared.inputs.has(name)) add('--input', `${name}=${fileOf(rule)}`);
    for (const [name, value] of Object.entries(state.uniforms))
        if (declared.uniforms.has(name)) add('--uniform', `${name}=${valueText(value)}`);
    if (size) add('--size', size.join('x'));
    for (const [from, to] of Object.entries(feedbackOf(state, declared.outputs, declared.inputs))) add('--feedback', `${from}=${to}`);
    if (steps > 0 && steps !== standardSteps) add('--iterate', String(steps));
    if (state.seed !== null) add('--seed', String(state.seed));
    if (state.rate !== null) add('--rate', String(state.rate));
    if (state.dialect !== null) add('--dialect', state.dialect);
    if (state.wrap !== null) add('--wrap', state.wrap);
    if (state.filter !== null) add('--filter', state.filter);
    if (state.flip !== null) words.push(state.flip ? '--flip' : '--flip=false');
    if (output) add('--output', `${output}=${output}.npy`);
    return words.map(quoted).join(' ');
}

/** A value of a uniform as `--uniform` takes it. */
export const valueText = (value) => (Array.isArray(value) ? value.join(',') : String(value));

// The native command reads no .csv: the page saves it as .npy.
const fileOf = (rule) => rule.replace(/^(file|sample):/, '').replace(/\.csv$/i, '.npy');
const quoted = (word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

/** What a command of the page's kind says: settings of a state, and the file that it runs. */
export function settingsOf(command) {
    const found = { inputs: {}, uniforms: {}, feedback: {}, outputs: {} };
    const words = command.match(/'[^']*'|[^\s\\]+/g).map((word) => word.replace(/^'|'$/g, ''));
    const take = {
        '--input': (value) => pair(found.inputs, value),
        '--uniform': (value) => pair(found.uniforms, value, numbers),
        '--feedback': (value) => pair(found.feedback, value),
        '--output': (value) => pair(found.outputs, value),
        '--iterate': (value) => (found.iterate = Number(value)),
        '--size': (value) => (found.size = value.match(DIMENSIONS).slice(1).map(Number)),
        '--seed': (value) => (found.seed = Number(value)),
        '--rate': (value) => (found.rate = Number(value)),
        '--range': (value) => (found.range = value.split(':').map(Number)),
        '--dialect': (value) => (found.dialect = value),
        '--wrap': (value) => (found.wrap = value),
        '--filter': (value) => (found.filter = value),
        '--colours': () => {},
    };
    for (let i = words.indexOf('run') + 1; i < words.length; i++) {
        if (!words[i].startsWith('--')) {
            found.file = words[i];
            continue;
        }
        const [flag, value] = words[i].includes('=') ? split(words[i]) : [words[i], words[++i]];
        if (!take[flag]) throw new Error(`the page has nothing for ${flag}`);
        take[flag](value);
    }
    return found;
}

function split(word) {
    const at = word.indexOf('=');
    return [word.slice(0, at), word.slice(at + 1)];
}

function pair(table, word, read = (value) => value) {
    const [name, value] = split(word);
    table[name] = read(value);
}

function numbers(text) {
    const values = text.split(',').map(Number);
    if (values.some(Number.isNaN)) return text;
    return values.length === 1 ? values[0] : values;
}
