// A lesson: a vertex program of 2002, whose registers are read from the device behind each instruction.
import { digits, h } from '../common/dom.js';
import { instructionsOf, lastWrite, meaning, programOf, register, registersOf } from './instructions.js';
import { lesson } from './lesson.js';
import { PROGRAMS } from './programs.js';

const VECTORS = 3; // that a program is given, at most
const TYPING = 400; // milliseconds without a key, after which a text is run
const at = (id) => document.getElementById(id);

let instructions = [];
let numbers = { v: {}, c: {} }; // what v[i] and c[i] hold, four numbers each
let errors = [];
let run = 0; // counts texts and inputs, so that answers for older ones are dropped
let known = new Map(); // registers that were read, by name and by the instruction that wrote them last

at('programs').append(...PROGRAMS.map(({ name }, i) => h('option', { value: i }, name)));
at('programs').addEventListener('change', ({ target }) => choose(PROGRAMS[target.value]));
at('program').addEventListener('input', later(read));
choose(PROGRAMS[0]);

function choose({ text, v, c }) {
    at('program').value = text;
    numbers = { v: { ...v }, c: { ...c } };
    read();
}

/** Reads the text, and begins the slider anew: it has a place for each instruction. */
function read() {
    const text = at('program').value;
    instructions = instructionsOf(text);
    at('program').rows = text.split('\n').length + 1;
    errors = [];
    showOperands();
    restart();
}

function restart() {
    run++;
    known = new Map();
    const values = Array.from({ length: instructions.length + 1 }, (_, i) => i);
    const text = (count) => (count ? `${count} of ${instructions.length}` : 'none');
    lesson({ label: 'Instructions that have run', values, initial: Math.min(4, instructions.length), text, draw });
}

async function draw(engine, count, _, stale) {
    const mine = run;
    const old = () => mine !== run;
    showInstruction(count);
    if (!known.has('result') && !(await check(engine, mine))) return old() ? '' : 'The program is not run: it has an error.';
    const registers = await readRegisters(engine, count, () => stale() || old());
    if (!registers || old()) return '';
    showRegisters(registers, count);
    return sentence(registers, count);
}

/** Runs the whole program, on the device and in the simulator on the host; whether it has no errors. */
async function check(engine, mine) {
    const text = at('program').value;
    try {
        const device = await engine.vp(text, vectors(), { constants: constants() });
        const simulator = await engine.vp(text, vectors(), { constants: constants(), engine: 'simulator' });
        if (mine === run) known.set('result', true);
        showSimulated(device, simulator);
        return mine === run;
    } catch (error) {
        if (error.kind !== 'failure') throw error;
        if (mine === run) showErrors(error.diagnostics.length ? error.diagnostics : [{ message: error.message }]);
        return false;
    }
}

/** All registers behind the first `count` instructions, as pairs of name and numbers; nothing where they are not wanted any more. */
async function readRegisters(engine, count, unwanted) {
    const names = [...registersOf(instructions, 'R').map((number) => `R${number}`), 'o[1]'];
    const found = [];
    for (const name of names) {
        if (unwanted()) return undefined;
        found.push([name, await registerBehind(engine, count, name)]);
    }
    return found;
}

// A register keeps its numbers until the next instruction that writes it, so each is read once for each time it is written.
async function registerBehind(engine, count, name) {
    const written = lastWrite(instructions, count, name);
    if (name === 'o[1]' && !written) return undefined; // nothing could be read from a program without a result
    const key = `${name} ${written}`;
    const memory = known;
    if (!memory.has(key)) {
        const program = programOf(at('program').value, instructions, written, name);
        memory.set(key, await engine.vp(program, vectors(), { constants: constants() }));
    }
    return memory.get(key);
}

const inputs = () => Math.max(1, ...registersOf(instructions, 'v'));
const vectors = () => Array.from({ length: Math.min(VECTORS, inputs()) }, (_, i) => Float32Array.from(numbers.v[i + 1] ?? [1, 2, 3, 4]));
const constants = () => Object.fromEntries(registersOf(instructions, 'c').map((number) => [number, numbers.c[number] ?? [1, 1, 1, 1]]));

function showInstruction(count) {
    const now = instructions[count - 1];
    const lines = at('program').value.split('\n').length;
    const done = new Set(instructions.slice(0, count).map(({ line }) => line));
    const line = (number) => {
        if (errors.some((error) => error.line === number)) return h('span.wrong', {}, `✗ ${number}\n`);
        if (number === now?.line) return h('span.now', {}, `▶ ${number}\n`);
        return h(done.has(number) ? 'span.done' : 'span', {}, `${number}\n`);
    };
    at('gutter').replaceChildren(...Array.from({ length: lines }, (_, i) => line(i + 1)));
    if (!now) return (at('instruction').textContent = 'Nothing has run: all temporaries are zero.');
    const text = `${now.opcode} ${[now.written, ...now.operands].join(', ')};`;
    at('instruction').replaceChildren(h('code', {}, text), ` ${meaning(now)}`);
}

function showRegisters(registers, count) {
    const now = instructions[count - 1];
    const readNow = new Set(now?.operands.map(register));
    const given = [['v', vectors().map((vector, i) => [i + 1, vector])], ['c', Object.entries(constants())]];
    const rows = given.flatMap(([kind, all]) => all.map(([number, values]) => [`${kind}[${number}]`, values]));
    at('figure').replaceChildren(h('div.scroll', {}, h('table.numbers', { id: 'registers' },
        h('caption.unseen', {}, `Registers behind instruction ${count}`),
        h('tr', {}, ['register', 'x', 'y', 'z', 'w', 'now'].map((name) => h('th', { scope: 'col' }, name))),
        [...rows, ...registers].map(([name, values]) => row(name, values, name === now?.destination && now.written, readNow.has(name))))));
}

function row(name, values, written, read) {
    const changes = (letter) => written && (!written.includes('.') || written.split('.')[1].includes(letter));
    const cells = Array.from('xyzw', (letter, i) => h(changes(letter) ? 'td.written' : 'td', {}, values ? digits(values[i]) : '–'));
    const word = [read && 'read', written && 'written'].filter(Boolean).join(', ');
    return h(read ? 'tr.read' : 'tr', {}, h('th', { scope: 'row' }, name), cells, h('td', {}, word));
}

function sentence(registers, count) {
    const now = instructions[count - 1];
    const [name, values] = registers.find(([name]) => name === now?.destination) ?? [];
    if (!now) return 'No instruction has run.';
    return name ? `${name} is now (${Array.from(values, digits).join(', ')}).` : `${now.opcode} has run.`;
}

function showSimulated(device, simulator) {
    const same = device.length === simulator.length && device.every((number, i) => Object.is(number, simulator[i]));
    const list = (numbers) => `(${Array.from(numbers, digits).join(', ')})`;
    const simulated = 'in the simulator, which follows the specification strictly';
    at('simulated').textContent = same
        ? `The whole program gives ${list(device)}, on your device and ${simulated}, with the same bits.`
        : `The whole program gives ${list(device)} on your device and ${list(simulator)} ${simulated}: the bits differ.`;
}

function showErrors(diagnostics) {
    errors = diagnostics;
    showInstruction(0);
    at('instruction').textContent = '';
    at('figure').replaceChildren();
    at('simulated').textContent = '';
    at('program').setAttribute('aria-invalid', 'true');
    at('errors').replaceChildren(...diagnostics.map((error) => h('div.message.bad', {}, error.line ? placed(error) : error.message)));
}

// A message that leads to its place in the text.
function placed(error) {
    const text = `line ${error.line}, column ${error.column ?? 1}: ${error.message}`;
    return h('button.quiet', { type: 'button', onclick: () => moveTo(error) }, text);
}

/** Puts the cursor of the text where an error is. */
function moveTo({ line, column = 1 }) {
    const before = at('program').value.split('\n').slice(0, line - 1).join('\n').length + (line > 1 ? 1 : 0);
    at('program').focus();
    at('program').setSelectionRange(before + column - 1, before + column);
}

/** Fields for the inputs and constants that the program reads. */
function showOperands() {
    at('program').removeAttribute('aria-invalid');
    at('errors').replaceChildren();
    const vectors = registersOf(instructions, 'v').filter((number) => number <= VECTORS).map((number) => field('v', number));
    const constants = registersOf(instructions, 'c').map((number) => field('c', number));
    at('operands').replaceChildren(...vectors, ...constants);
}

function field(kind, number) {
    const values = (numbers[kind][number] ??= kind === 'v' ? [1, 2, 3, 4] : [1, 1, 1, 1]);
    const change = later(({ target }) => {
        const read = target.value.split(',').map((text) => (text.trim() === '' ? NaN : Number(text)));
        const four = read.length === 1 ? Array(4).fill(read[0]) : read;
        const right = four.length === 4 && !four.some(Number.isNaN);
        target.setAttribute('aria-invalid', String(!right));
        note.textContent = right ? '' : `Expected one number or four with commas between them, got "${target.value}".`;
        if (!right) return;
        numbers[kind][number] = four;
        restart();
    });
    const note = h('span', { role: 'status' });
    const input = h('input', { type: 'text', inputMode: 'text', value: values.join(', '), oninput: change });
    return h('div.row', {}, h('label.field', {}, h('code', {}, `${kind}[${number}]`), input), note);
}

/** A function that is called when the calls of it pause. */
function later(work) {
    let timer;
    return (event) => {
        clearTimeout(timer);
        timer = setTimeout(() => work(event), TYPING);
    };
}
