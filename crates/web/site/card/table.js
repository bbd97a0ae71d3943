// The table of errors: a row for each operation, a column for each device.
import { h } from '../common/dom.js';
import { keyOf } from './devices.js';

// Numbers of committed cards have three digits, so that only what differs in the second one is another number.
const SAME = 0.05;

/**
 * Makes the table of cards, of which `own` is the one that the others are compared with; it may be missing. `column` is `max`, `mean` or
 * `inexact`, and `different` leaves out rows in which all agree.
 */
export function errorTable(own, others, { column, different }) {
    const cards = own ? [own, ...others] : others;
    const rows = allRows([...others, ...cards]).filter((row) => !different || differs(cards, keyOf(row), column));
    const heads = ['operation', 'arguments', ...cards.map(({ name }) => name), 'GLSL promises'];
    return h('table.numbers', {},
        h('caption.unseen', {}, 'Errors of each operation on several devices'),
        h('thead', {}, h('tr', {}, heads.map((name) => h('th', { scope: 'col' }, name)))),
        h('tbody', {}, rows.map((row) => line(row, own, cards, column))));
}

/** The operations of all cards, in the order of the first that has them. */
function allRows(cards) {
    const found = new Map();
    for (const { rows } of cards) for (const [key, row] of rows) if (!found.has(key)) found.set(key, row);
    return [...found.values()];
}

function line(row, own, cards, column) {
    const key = keyOf(row);
    const reference = own?.rows.get(key);
    const cells = cards.map((card) => cell(card.rows.get(key), card === own ? undefined : reference, column));
    const promise = row.promise === 'open' ? 'nothing' : row.promise;
    return h('tr', {}, h('th', { scope: 'row' }, row.operation), h('td.left', {}, row.range), cells, h('td.left', {}, promise));
}

function cell(row, reference, column) {
    if (!row) return h('td', { title: 'not measured' }, '–');
    const broken = row.kept === false && column === 'max';
    const other = reference && !alike(row[column], reference[column]);
    const marks = [broken && '!', other && '≠'].filter(Boolean).join(' ');
    const words = [broken && 'the promise is not kept', other && 'differs from this browser'].filter(Boolean).join(', ');
    return h(`td${broken ? '.broken' : ''}${other ? '.differs' : ''}`, {},
        marks && h('span', { 'aria-hidden': 'true' }, `${marks} `), number(row[column]), words && h('span.unseen', {}, `, ${words}`));
}

function differs(cards, key, column) {
    const [first, ...rest] = cards.map(({ rows }) => rows.get(key)).filter(Boolean);
    return rest.some((row) => !alike(row[column], first[column]));
}

const alike = (a, b) => a === b || Math.abs(a - b) <= SAME * Math.max(Math.abs(a), Math.abs(b));

function number(value) {
    if (!Number.isFinite(value)) return 'no number';
    if (value >= 1e5) return value.toExponential(1).replace('e+', 'e');
    return String(Number(value.toPrecision(3)));
}
