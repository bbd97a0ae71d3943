// The playground: joins the editor, the inputs, the engine and the result, which know nothing of each other.
import { engine } from '../common/engine.js';
import { header } from '../common/header.js';
import { Editor } from './editor.js';
import { Failures } from './failures.js';
import { droppable, recall, rulesOf } from './files.js';
import { Inputs } from './inputs.js';
import { announce, messageBox } from './messages.js';
import { followMouse } from './mouse.js';
import { openFirst, openProgram } from './opening.js';
import { Program, names } from './program.js';
import { receiver } from './receiving.js';
import { Result } from './result.js';
import { Runner } from './runner.js';
import { Settings } from './settings.js';
import { share } from './share.js';
import { EMPTY, cleaned, earlier, keep, keepEarlier } from './state.js';
import { tabs as makeTabs } from './tabs.js';
import { Uniforms } from './uniforms.js';

const $ = (id) => document.getElementById(id);
const EMBEDDED = new URLSearchParams(location.search).has('embed');

const NEW = { main: 'shader.frag', files: { 'shader.frag': '' } };
const HALTED = 'This program had given no result when the page was left, so it was not started by itself. Run starts it.';

const state = structuredClone(EMPTY);
// The address that the state came from, and whether a person has changed it since.
let origin = location.search + location.hash;
let touched = false;
// Whether the program as it is run has given a result: a reload starts no other one.
let answered = false;
// As OpenGL ES 3.0 promises, until the engine has said.
let device = { maxTextureSize: 2048 };

const later = (wait, act) => {
    let timer;
    return () => {
        clearTimeout(timer);
        timer = setTimeout(act, wait);
    };
};
const keepNow = () => !EMBEDDED && state.main && keep(state, origin, touched, answered);
const persist = later(300, keepNow);
const checkSoon = later(400, () => program.check());
const runSoon = later(400, () => program.run());

const limit = () => device.maxTextureSize;
const message = messageBox();
$('page-messages').append(message.element);

const runner = new Runner({
    onframe: shown,
    onstatus: status,
    onslow: slow,
    onerror: (error) => failures.show(error),
});
const editor = new Editor($('editor'), { onchange: typed, onrun: () => program.run() });
const inputs = new Inputs($('inputs'), state, { limit, onchange: changed, onwrong: wrong });
const uniforms = new Uniforms($('uniforms'), state, { onchange: turned });
const settings = new Settings($('settings'), state, { limit, onchange: changed, onwrong: wrong });
const result = new Result(state, { onoutput: outputChosen, onchange: remember });
const tabs = makeTabs(editor, state, { onchange: edited });
const failures = new Failures(state, { editor, tabs, inputs }, { stop, anew });
const files = receiver(state, { editor, tabs, inputs, message, missing: () => program.declared.missing }, { changed, edited });
const told = { declared: update, starts, ran: update, files, failures };
const program = new Program(state, runner, { inputs, uniforms, settings, result }, told);
const sharing = share(facts);

function facts() {
    const { declared, isKnown } = program;
    const known = { inputs: names(declared.inputs), uniforms: names(declared.uniforms), outputs: names(declared.outputs) };
    const all = [...known.outputs];
    return {
        state,
        isKnown,
        declared: known,
        steps: program.steps,
        standardSteps: declared.steps,
        output: all.length ? result.outputAmong(all) : result.output,
        ask: (call) => runner.ask(call),
        size: settings.size,
        linked: (hash) => (origin = location.search + hash),
    };
}

// What a person did

function typed() {
    state.files = editor.files;
    program.stale = true;
    remember();
    checkSoon();
}

// A file came, went, or has another name.
function edited() {
    program.stale = true;
    remember();
    program.check();
}

// Another input, size or setting: what was shown is computed anew.
function changed() {
    program.stale = true;
    remember();
    runSoon();
}

// An entry that does not fit: what is shown is no longer what the page says, and a run says why it cannot be.
function wrong() {
    program.stale = true;
    remember();
}

function turned(name, value) {
    remember();
    if (name === undefined) return;
    if (value === undefined) changed();
    else program.turn(name, value);
}

// The mouse is no part of the state, so it is set on the device alone.
function pointed(name, value) {
    if (!program.stale) program.turn(name, value);
}

function outputChosen(name) {
    runner.output = name;
    runner.show().catch((error) => failures.show(error));
}

function remember() {
    touched = true;
    update();
}

function update() {
    persist();
    mark();
    sharing.update();
}

// What the engine says

function shown(array) {
    result.show(array);
    if (!answered) persist();
    answered = true;
    // The time that a person waits for; tests read it.
    if (!performance.getEntriesByName('first picture').length) performance.mark('first picture');
}

// Before the device has it: a page that hangs is reloaded.
function starts() {
    answered = false;
    keepNow();
}

function slow(isSlow) {
    if (isSlow) starts();
    failures.slow(isSlow);
}

/** Whether Run has something to do, and whether the picture is of the text as it is. */
function mark() {
    $('run').disabled = runner.playing && !program.stale;
    $('stale').hidden = !(program.isEdited && result.isShown);
}

const counted = (steps) => `${steps} ${steps === 1 ? 'step' : 'steps'}`;

function status() {
    const { iteration, speed, playing, ended } = runner;
    mark();
    $('pause').disabled = !playing;
    $('iteration').textContent = `${counted(iteration)}${ended && iteration ? ', done' : ''}`;
    $('speed').textContent = playing && speed ? `${speed < 10 ? speed.toFixed(1) : Math.round(speed)} steps/s` : '';
    if (playing && !status.playing) announce('Running');
    if (!playing && status.playing && iteration) announce(`${ended ? 'Done' : 'Paused'} after ${counted(iteration)}. ${result.summary}`);
    status.playing = playing;
    sharing.update();
}

async function stop() {
    program.stale = true;
    const next = starting(runner.stop());
    starts();
    failures.stopped();
    announce('Stopped');
    await next;
}

async function anew() {
    program.stale = true;
    failures.clear();
    await starting(runner.stop());
    await program.run();
}

async function starting(promise) {
    try {
        ({ device } = await promise);
        $('device').textContent = `on ${device.renderer}`;
    } catch (error) {
        failures.show(error);
    }
}

// Opening

/** Puts a state into the page. */
function load(next) {
    Object.assign(state, cleaned(next));
    program.reset();
    answered = false;
    touched = false;
    runner.forget();
    inputs.reset();
    uniforms.reset();
    editor.load(state.files, state.main);
    tabs.draw();
    settings.load();
    result.load();
    result.clear();
    $('pace').value = state.pace;
    $('iterate').value = state.iterate ?? '';
    for (const box of [message, failures, tabs.message, sharing.message]) box.clear();
}

/** Replaces the program and runs it; a person who has changed the one before can go back. */
function replace(next) {
    const old = structuredClone(state);
    const isWork = touched;
    if (isWork) keepEarlier(old);
    load(next);
    persist();
    // An empty text waits for what a person types.
    if (state.files[state.main].trim()) program.run();
    else update();
    if (isWork) message.show('Another program was opened.', { kind: 'note', actions: [['Back to the one before', () => replace(old)]] });
}

async function open() {
    const first = await openFirst({ search: location.search, hash: location.hash, origin, storage: !EMBEDDED });
    if (touched) keepEarlier(structuredClone(state));
    load(first.state);
    touched = Boolean(first.touched);
    if (first.own) await recall([state, earlier() ?? EMPTY].flatMap(rulesOf));
    const texts = [first.message?.text, first.halted && HALTED].filter(Boolean);
    if (texts.length) message.show(texts.join(' '), { kind: first.message?.kind ?? 'note', actions: first.actions(replace) });
    if (EMBEDDED) $('whole').href = (await sharing.address()).href;
    return first.halted ? program.check() : program.run();
}

function openAddress() {
    const next = location.search + location.hash;
    if (next === origin) return;
    keepNow();
    origin = next;
    open();
}

// Controls

/** Takes over a number of steps; `isOptional` lets the entry be empty. */
function count(input, key, isOptional, told) {
    const isEmpty = input.value === '' && input.validity.valid;
    const fits = isEmpty ? isOptional : Number.isInteger(Number(input.value)) && Number(input.value) >= 1;
    input.setAttribute('aria-invalid', String(!fits));
    if (!fits) return;
    state[key] = isEmpty ? null : Number(input.value);
    told();
    remember();
}

function listen() {
    const tell = (promise) => promise.catch((error) => failures.show(error));
    $('new').onclick = () => replace(NEW);
    $('run').onclick = () => program.run();
    $('pause').onclick = () => runner.pause();
    $('step').onclick = () => tell(program.step());
    $('restart').onclick = () => tell(program.restart());
    $('pace').oninput = ({ target }) => count(target, 'pace', false, () => (runner.pace = state.pace));
    $('iterate').oninput = ({ target }) => count(target, 'iterate', true, () => (runner.end = program.end));
    for (const kind of ['npy', 'png']) {
        $(`save-${kind}`).onclick = () => tell(result.save(kind, (name, array) => runner.ask((e) => e.writeFile(name, array))));
    }
    $('file-open').onchange = async ({ target }) => {
        await files.files([...target.files]);
        target.value = '';
    };
    droppable(document.body, files.files);
    document.addEventListener('keydown', (event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !event.defaultPrevented) program.run();
    });
    addEventListener('hashchange', openAddress);
    addEventListener('pagehide', keepNow);
    followMouse(result.view.canvas, mouseUniforms, pointed);
}

function mouseUniforms() {
    const supplied = program.declared.uniforms.filter(({ supplied }) => supplied);
    return [...names(supplied)].filter((name) => /^(iMouse|mouse|u_mouse)$/.test(name));
}

if (EMBEDDED) {
    document.body.classList.add('embed');
    $('program').open = false;
} else {
    header('Playground');
}
listen();
openProgram($('example'), replace);
starting(engine());
open();
