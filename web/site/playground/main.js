// The playground: joins the editor, the inputs, the engine and the result, which know nothing of each other.
import { engine } from '../common/engine.js';
import { header } from '../common/header.js';
import { Editor } from './editor.js';
import { bytesOf, droppable, isArray, isText, recall, take } from './files.js';
import { Inputs } from './inputs.js';
import { announce, diagnosticList, messageBox } from './messages.js';
import { askFor, placeFor } from './missing.js';
import { followMouse } from './mouse.js';
import { openFirst, openProgram } from './opening.js';
import { Result } from './result.js';
import { Runner } from './runner.js';
import { Settings, isRunFile, programOf, settingsOf } from './settings.js';
import { share } from './share.js';
import { EMPTY, cleaned, earlier, keep, keepEarlier } from './state.js';
import { tabs } from './tabs.js';
import { Uniforms, isSupplied } from './uniforms.js';

const $ = (id) => document.getElementById(id);
const EMBEDDED = new URLSearchParams(location.search).has('embed');
const CALM = matchMedia('(prefers-reduced-motion: reduce)').matches;

const state = structuredClone(EMPTY);
let origin = location.search + location.hash;
let declared = { inputs: [], uniforms: [], outputs: [], missing: [], steps: 1, dialect: 'plain' };
let device = { maxTextureSize: 16384 };
// Whether the experiment on the device is no longer what the page says.
let stale = true;

const limit = () => device.maxTextureSize;
const pageMessage = messageBox();
const runMessage = messageBox();
const slowMessage = messageBox();
$('page-messages').append(pageMessage.element);
$('run-messages').append(slowMessage.element, runMessage.element);

const later = (wait, act) => {
    let timer;
    return () => {
        clearTimeout(timer);
        timer = setTimeout(act, wait);
    };
};
const persist = later(300, () => !EMBEDDED && keep(state, origin));
const checkSoon = later(400, () => check());
const runSoon = later(400, () => run());

const runner = new Runner({ onframe: (array) => result.show(array), onstatus: status, onslow: slow, onerror: failed });
const editor = new Editor($('editor'), { onchange: edited, onrun: () => run() });
const inputs = new Inputs($('inputs'), state, { limit, onchange: changed });
const uniforms = new Uniforms($('uniforms'), state, { onchange: turned });
const settings = new Settings($('settings'), state, { limit, onchange: changed });
const result = new Result(state, { onoutput: outputChosen, onchange: remember });
const files = tabs(editor, state, { onchange: filesChanged });
const sharing = share(() => ({
    state, steps: runner.iteration, output: result.output, size: settings.size, linked: (hash) => (origin = location.search + hash),
    declared: { inputs: names(declared.inputs), uniforms: names(declared.uniforms), outputs: names(declared.outputs) },
}));
const listErrors = diagnosticList($('diagnostics'), (found) => {
    $('program').open = true;
    editor.go(found);
    files.draw();
});

const names = (list) => new Set(list.map(({ name }) => name));

// What a person did

function edited() {
    state.files = editor.files;
    stale = true;
    remember();
    checkSoon();
}

function filesChanged() {
    stale = true;
    remember();
    check();
}

// Another input, size or setting: what was shown is computed anew.
function changed() {
    stale = true;
    remember();
    runSoon();
}

function remember() {
    persist();
    sharing.update();
}

// A uniform is set at the next step; where steps change nothing, there is a step at once.
const queued = new Map();
let turning = false;

async function turned(name, value) {
    remember();
    if (name === undefined) return;
    if (value === undefined) return changed();
    queued.set(name, value);
    if (turning || stale || !runner.experiment) return;
    turning = true;
    try {
        while (queued.size) {
            const [[first, next]] = queued;
            queued.delete(first);
            await runner.set(first, next);
            if (!queued.size && !moves()) await again();
        }
        runMessage.clear();
    } catch (error) {
        failed(error);
    } finally {
        turning = false;
    }
}

async function again() {
    await runner.restart();
    await runner.step();
}

/** Whether further steps can change anything. */
const moves = () => runner.experiment?.changes ?? true;

async function outputChosen(name) {
    runner.output = name;
    await runner.show().catch(failed);
}

// The engine

let checks = 0;

/** Asks the engine what the program declares; tells whether it compiles. */
async function check() {
    const mine = ++checks;
    try {
        const program = await programOf(state);
        const answer = await runner.ask((e) => e.declares(program));
        if (mine !== checks) return false;
        declared = answer;
        declare();
        return true;
    } catch (error) {
        if (mine === checks) failed(error);
        return false;
    }
}

function declare() {
    const says = isRunFile(state.main) ? 'the run file' : declared.dialect === 'isf' ? 'the shader' : undefined;
    errors([]);
    runMessage.clear();
    askFor(declared.missing, state, { text: emptyText, rule: giveRule, files: receive });
    inputs.show(declared.inputs);
    uniforms.show(declared.uniforms, { dialect: declared.dialect, says });
    settings.show(declared);
    $('dialect').textContent = declared.dialect === 'plain' ? '' : `(read as a ${DIALECTS[declared.dialect] ?? declared.dialect} shader)`;
    $('iterate').placeholder = declared.steps > 1 ? String(declared.steps) : 'no end';
    remember();
}

const DIALECTS = { shadertoy: 'Shadertoy', sandbox: 'GLSL Sandbox', legacy: 'WebGL 1 or GLSL 1.20', isf: 'ISF' };

/** Runs what the page says, or goes on where it was paused. */
async function run({ once = false } = {}) {
    const paused = !stale && runner.experiment && runner.iteration > 0 && !runner.ended && !runner.playing;
    try {
        if (!(paused && moves()) && !await prepare()) return;
        if (once || CALM && !paused) await runner.step();
        else await runner.play();
    } catch (error) {
        failed(error);
    }
}

async function prepare() {
    runMessage.clear();
    inputs.clear();
    if (!await check()) return false;
    if (declared.missing.length) {
        runMessage.show(`${state.main} names files that are not here: ${declared.missing.join(', ')}; give them under the program`);
        return false;
    }
    const before = JSON.stringify(state);
    const given = await settingsOf(state, declared, settings.size, read);
    const experiment = await runner.prepare(given);
    queued.clear();
    stale = JSON.stringify(state) !== before;
    result.offer(experiment.outputs, experiment.dialect !== 'plain');
    Object.assign(runner, { output: result.output, pace: state.pace, end: endOf(experiment) });
    sharing.update();
    return true;
}

function endOf(experiment) {
    if (state.iterate !== null) return state.iterate;
    if (experiment.steps > 1) return experiment.steps;
    return moves() ? undefined : 1;
}

// Arrays of files, which are read once for each file.
const arrays = new WeakMap();

async function read(input, name, bytes) {
    try {
        if (!arrays.has(bytes)) arrays.set(bytes, await runner.ask((e) => e.readFile(name, bytes)));
    } catch (error) {
        throw Object.assign(new Error(`input ${input}: ${error.message}`), { kind: error.kind });
    }
    const { data, shape } = arrays.get(bytes);
    return { data, shape };
}

// What the engine says

function status() {
    const { iteration, speed, playing, ended } = runner;
    $('run').disabled = playing;
    $('pause').disabled = !playing;
    $('iteration').textContent = `${iteration} ${iteration === 1 ? 'step' : 'steps'}${ended && iteration ? ', done' : ''}`;
    $('speed').textContent = playing && speed ? `${speed < 10 ? speed.toFixed(1) : Math.round(speed)} steps/s` : '';
    if (!playing && status.playing) announce(`${ended ? 'Done' : 'Paused'} after ${iteration} steps`);
    if (playing && !status.playing) announce('Running');
    status.playing = playing;
    sharing.update();
}

function slow(isSlow) {
    if (!isSlow) return slowMessage.clear();
    const text = 'The device has not answered for 5 seconds. A shader that loops for ever, or much work, can be the cause. '
        + 'Stop ends the engine and starts another one; what you typed stays.';
    slowMessage.show(text, { actions: [['Stop', stop]] });
}

async function stop() {
    stale = true;
    errors([]);
    await starting(runner.stop());
    runMessage.show('The run was stopped. Change what made it long, and run it again.', { kind: 'note' });
}

async function anew() {
    runMessage.clear();
    stale = true;
    await starting(runner.stop());
    await run();
}

async function starting(promise) {
    try {
        ({ device } = await promise);
        $('device').textContent = `on ${device.renderer}`;
    } catch (error) {
        failed(error);
    }
}

/** Shows an error where the person looks: in the text, beside an input, or beside the result. */
function failed(error) {
    if (error.kind === 'stopped' || error.kind === 'unsupported') return;
    const { message, diagnostics = [] } = error;
    if (error.kind === 'lost') {
        runMessage.show(`The device was lost: ${message}. What you typed stays.`, { actions: [['Start again', anew]] });
        stale = true;
        return;
    }
    const known = diagnostics.filter(({ file }) => file in state.files);
    errors(known);
    if (known.length) return announce(`${known.length} errors; the first in line ${known[0].line}: ${known[0].message}`);
    const input = message.match(/^input [`"']?([\w.]+)/)?.[1];
    if (input && inputs.complain(input, message)) return;
    runMessage.show(message);
}

function errors(diagnostics) {
    editor.mark(diagnostics);
    listErrors(diagnostics);
    files.mark(diagnostics.map(({ file }) => file));
}

// Files

function emptyText(path) {
    editor.put(path, '');
    editor.open(path);
    state.files = editor.files;
    files.draw();
    filesChanged();
}

function giveRule(path, rule) {
    state.given[path] = rule;
    changed();
}

/** Takes files; `path` is the missing one that they were chosen for. */
async function receive(list, path) {
    pageMessage.clear();
    for (const file of list) {
        try {
            await receiveOne(file, path ?? placeFor(file.name, declared.missing));
        } catch (error) {
            pageMessage.show(`${file.name}: ${error.message}`);
        }
    }
}

async function receiveOne(file, path) {
    if (isText(file.name)) return receiveText(path ?? file.name, await file.text());
    if (!isArray(file.name)) {
        throw new Error('expected a shader (.frag, .glsl, .fs, .vs, .txt), a run file (.toml), an array (.npy, .csv) or a picture (.png, .jpg)');
    }
    if (path) return giveRule(path, `file:${await take(file)}`);
    if (await inputs.offer(file)) return undefined;
    throw new Error('the program has several inputs, or none: drop the file on the input that it is for');
}

function receiveText(name, text) {
    editor.put(name, text);
    state.files = editor.files;
    const begins = isRunFile(name) || !isRunFile(state.main);
    if (begins && !/\.(glsl|vs|vert)$/.test(name)) {
        state.main = name;
        editor.open(name);
    }
    files.draw();
    changed();
}

// Beginning

/** Puts a state into the page. */
function load(next) {
    Object.assign(state, cleaned(next));
    stale = true;
    inputs.reset();
    uniforms.reset();
    editor.load(state.files, state.main);
    files.draw();
    settings.load();
    result.load();
    result.clear();
    $('pace').value = state.pace;
    $('iterate').value = state.iterate ?? '';
    for (const message of [pageMessage, runMessage, files.message, sharing.message]) message.clear();
}

/** Replaces the program, and lets the person go back. */
function replace(next) {
    const old = structuredClone(state);
    keepEarlier(old);
    load(next);
    const back = () => {
        replace(earlier() ?? old);
        run();
    };
    pageMessage.show('Another program was opened.', { kind: 'note', actions: [['Back to the one before', back]] });
    persist();
}

function count(input, key, told) {
    const fits = input.value === '' ? key === 'iterate' && input.validity.valid : Number.isInteger(Number(input.value)) && Number(input.value) >= 1;
    input.setAttribute('aria-invalid', String(!fits));
    if (!fits) return;
    state[key] = input.value === '' ? null : Number(input.value);
    told();
    remember();
}

function listen() {
    $('run').onclick = () => run();
    $('pause').onclick = () => runner.pause();
    $('step').onclick = async () => (stale || !runner.experiment ? run({ once: true }) : runner.step().catch(failed));
    $('restart').onclick = async () => {
        if (stale || !runner.experiment) return run();
        await runner.restart().catch(failed);
        result.clear();
        return run();
    };
    $('pace').oninput = ({ target }) => count(target, 'pace', () => (runner.pace = state.pace));
    $('iterate').oninput = ({ target }) => count(target, 'iterate', () => runner.experiment && (runner.end = endOf(runner.experiment)));
    for (const kind of ['npy', 'png']) {
        $(`save-${kind}`).onclick = () => result.save(kind, (name, array) => runner.ask((e) => e.writeFile(name, array))).catch(failed);
    }
    $('file-open').onchange = async ({ target }) => {
        await receive([...target.files]);
        target.value = '';
    };
    droppable(document.body, receive);
    document.addEventListener('keydown', (event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !event.defaultPrevented) run();
    });
    addEventListener('hashchange', openAddress);
    followMouse(result.view.canvas, () => [...names(declared.uniforms)].filter((name) => /^(iMouse|mouse|u_mouse)$/.test(name) && isSupplied(name, declared.dialect)), turnedMouse);
}

function turnedMouse(name, value) {
    // The mouse is no part of the state, so it is set on the device alone.
    if (!stale && runner.experiment) runner.set(name, value).then(() => moves() || again()).catch(failed);
}

async function openAddress() {
    if (location.search + location.hash === origin) return;
    origin = location.search + location.hash;
    await begin();
}

async function begin() {
    const first = await openFirst({ search: location.search, hash: location.hash, origin, storage: !EMBEDDED });
    if (first.state) {
        if (state.main) keepEarlier(structuredClone(state));
        load(first.state);
    }
    if (first.own) await recall([...Object.values(state.inputs), ...Object.values(state.given)]);
    if (first.message) pageMessage.show(first.message.text, { kind: first.message.kind, actions: first.actions(replaceAndRun) });
    if (EMBEDDED) $('whole').href = (await sharing.address()).href;
    await run();
}

function replaceAndRun(next) {
    replace(next);
    run();
}

if (EMBEDDED) {
    document.body.classList.add('embed');
    $('program').open = false;
} else {
    header('Playground');
}
listen();
openProgram($('example'), replaceAndRun);
starting(engine());
begin();
