// The accuracy card of this browser: measured on demand, beside the committed cards of other devices.
import { digits, h } from '../common/dom.js';
import { engine, restart } from '../common/engine.js';
import { header } from '../common/header.js';
import { OTHERS, ofEngine } from './devices.js';
import { errorTable } from './table.js';

const at = (id) => document.getElementById(id);

let card; // as the engine gives it
let own; // its rows
let stopping = false;

header('Accuracy card');
at('measure').addEventListener('click', measure);
at('stop').addEventListener('click', stop);
at('download').addEventListener('click', download);
at('column').addEventListener('change', showTable);
at('different').addEventListener('change', showTable);
showOthers();
showTable();

async function measure() {
    measuring(true);
    say('Measuring.');
    try {
        const running = await engine();
        card = await running.card({ progress });
        own = ofEngine(card, await running.verdicts(card));
        show();
        say(`The card of ${card.device} is complete: ${card.accuracy.length} rows.`);
    } catch (error) {
        if (stopping) say('Stopped. Nothing was kept.');
        else say(error.message, true);
    }
    measuring(false);
}

/** The card is one call of the worker, so stopping it ends the worker. */
async function stop() {
    stopping = true;
    try {
        await restart();
    } catch (error) {
        say(error.message, true);
    }
    stopping = false;
}

function progress(done, expected) {
    at('progress').max = expected || 1;
    at('progress').value = done;
}

function measuring(on) {
    at('measure').disabled = on;
    at('stop').hidden = !on;
    at('gauge').hidden = !on;
    progress(0, 1);
}

function say(text, bad = false) {
    at('status').className = bad ? 'message bad' : '';
    at('status').textContent = text;
}

function show() {
    at('facts').replaceChildren(h('h2', {}, 'This device'), facts());
    at('sections').replaceChildren(...own.verdicts.map((subject) => section(subject)));
    for (const id of ['facts', 'verdicts', 'download']) at(id).hidden = false;
    showTable();
    showOthers();
}

function facts() {
    const rows = [
        ['device', card.device],
        ['interface', card.api],
        ['driver', card.driver],
        ['largest texture', `${card.max_texture_size} texels along a side`],
        ['precise', card.precise ? 'supported' : 'not supported: a compiler may contract and reorder'],
        ['loops', card.loop_budget ? `end after ${digits(card.loop_budget)} iterations` : 'no limit was found'],
    ];
    const line = ([name, value]) => h('tr', {}, h('th', { scope: 'row' }, name), h('td', {}, value));
    return h('table.numbers', {}, rows.map(line));
}

/** A subject of a card with its sentences; those that are not among the texts `known` are marked. */
function section({ title, verdicts }, known) {
    const mark = () => [h('strong', { 'aria-hidden': 'true' }, '≠ '), h('span.unseen', {}, 'other than in this browser: ')];
    const lines = verdicts.map(({ text, good }) => h(good ? 'li' : 'li.care', {}, known && !known.has(text) ? mark() : [], text));
    return h('section', {}, h('h3', {}, title), h('ul.verdicts', {}, lines));
}

function showOthers() {
    const known = own && new Set(own.verdicts.flatMap(({ verdicts }) => verdicts.map(({ text }) => text)));
    const details = ({ name, description, verdicts }) => h('details', {},
        h('summary', {}, `The sentences of the card of ${name}`),
        h('p.soft', {}, description), verdicts.map((subject) => section(subject, known)));
    at('others').replaceChildren(...OTHERS.map(details));
}

function showTable() {
    at('table').replaceChildren(errorTable(own, OTHERS, { column: at('column').value, different: at('different').checked }));
}

function download() {
    const address = URL.createObjectURL(new Blob([`${JSON.stringify(card, null, 1)}\n`], { type: 'application/json' }));
    h('a', { href: address, download: 'card.json' }).click();
    URL.revokeObjectURL(address);
}
