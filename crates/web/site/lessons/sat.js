// A lesson: random 3-SAT. A shader evaluates the clauses, searches change the assignment, and several formulas are measured for each ratio.
import { h } from '../common/dom.js';
import { engine } from '../common/engine.js';
import { linePlot } from '../common/plot.js';
import { decide, dimacs, randomFormula } from './formulas.js';
import { TexelGrid, code, lesson, median, randoms } from './lesson.js';
import shader from './shaders/clauses.frag';
import runFile from './shaders/clauses.run.toml';
import literals from './shaders/literals.frag';

const VARIABLES = 40;
const FORMULAS = 20; // for each ratio
const LIMIT = 50_000; // flips
const COLUMNS = 16; // of the clauses
const SHOWN = 10; // variables in a row of their grid
const RATIOS = [2, 2.5, 3, 3.5, 3.75, 4, 4.25, 4.5, 4.75, 5, 5.5, 6, 7, 8];

const at = (id) => document.getElementById(id);
const plural = (count, name) => `${count} ${name}${count === 1 ? '' : 's'}`;
const random = randoms(2002);
const measured = new Map(); // what was found for each ratio
let kernel;
let formula;
let clauses; // the formula as texels
let assignment;
let satisfied;
let busy = false;

at('variables').textContent = VARIABLES;
at('formulas').textContent = FORMULAS;
at('limit').textContent = LIMIT.toLocaleString('en');
const clauseGrid = new TexelGrid(at('clauses'), { label: 'Clauses', pick: showClause });
const assignmentGrid = new TexelGrid(at('assignment'), { label: 'Assignment', pick: showVariable });
const shares = linePlot(at('shares'), { x: 'clauses for each variable', y: 'share', label: 'Share of formulas with a model' });
const work = linePlot(at('work'), { x: 'clauses for each variable', y: 'work', log: true, label: 'Work, median' });
code(at('code'), {
    caption: 'The evaluation of the clauses. A link holds no arrays, so in the playground a pass before it makes them of random numbers.',
    shader, runFile, files: { 'clauses.frag': shader, 'literals.frag': literals },
});

at('fresh').addEventListener('click', acting(async () => {
    assignment = randomAssignment();
    await evaluate();
}));
at('one').addEventListener('click', acting(() => steps(1)));
at('hundred').addEventListener('click', acting(() => steps(100)));
at('search').addEventListener('click', acting(search));
at('all').addEventListener('click', acting(measureAll));

lesson({
    label: 'Clauses for each variable', values: RATIOS, initial: 3,
    prepare: async (running) => {
        kernel = await running.kernel(shader, 'clauses.frag');
    },
    draw: async (running, ratio, _, stale) => {
        formula = formulaOf(ratio, 0);
        clauses = texelsOf(formula);
        assignment = randomAssignment();
        at('outcome').textContent = '';
        await evaluate();
        const found = await measure(running, ratio, stale);
        return found && `${ratio} clauses for each variable: ${found.satisfiable} of ${FORMULAS} formulas have a model; `
            + `${found.flips} flips and ${found.decisions} tried values, median.`;
    },
});

/** Formula `index` of a ratio is always the same one. */
function formulaOf(ratio, index) {
    return randomFormula(VARIABLES, Math.round(ratio * VARIABLES), Math.round(1000 * ratio) * 1009 + index);
}

function texelsOf({ clauses: list }) {
    const height = Math.ceil(list.length / COLUMNS);
    const data = new Float32Array(3 * COLUMNS * height);
    data.set(list.flat());
    return { data, shape: [height, COLUMNS, 3] };
}

const randomAssignment = () => Float32Array.from({ length: VARIABLES }, () => Number(random() < 0.5));

/** Evaluates all clauses of the current assignment on the device, and shows them. */
async function evaluate() {
    satisfied = await evaluated(assignment);
    showState();
}

async function evaluated(values) {
    const inputs = { clauses, assignment: { data: values, shape: [1, VARIABLES] } };
    const outputs = await kernel.run({ inputs, size: [COLUMNS, clauses.shape[0]] });
    return outputs.satisfied;
}

const total = ({ data }) => data.reduce((sum, number) => sum + number, 0);

/** Steps of the search of 2002, each with an evaluation on the device. */
async function steps(count) {
    const mine = formula;
    let kept = 0;
    let done = 0;
    for (; done < count && total(satisfied) < formula.clauses.length; done++) {
        const flipped = assignment.slice();
        const variable = Math.floor(random() * VARIABLES);
        flipped[variable] = 1 - flipped[variable];
        const next = await evaluated(flipped);
        if (mine !== formula) return;
        if (total(next) < total(satisfied)) continue;
        [assignment, satisfied] = [flipped, next];
        kept++;
    }
    showState();
    at('outcome').textContent = `${plural(done, 'step')}, of which ${kept} kept their flip.`;
}

/** WalkSAT on many candidates at once, wholly on the device. */
async function search() {
    const running = await engine();
    at('outcome').textContent = 'Searching …';
    const mine = formula;
    const outcome = await running.sat(dimacs(formula), { flips: 1000 });
    if (mine !== formula) return;
    const effort = `${plural(outcome.flips, 'flip')} of all candidates together, ${outcome.milliseconds.toFixed(0)} ms`;
    if (outcome.model) {
        outcome.model.forEach((literal) => (assignment[Math.abs(literal) - 1] = Number(literal > 0)));
        await evaluate();
        at('outcome').textContent = `A model was found: ${effort}.`;
    } else {
        const { satisfiable } = decide(formula);
        const truth = satisfiable ? 'There is one.' : 'There is none, as the complete search shows.';
        at('outcome').textContent = `No model was found: ${effort}. ${truth}`;
    }
}

/** Several formulas of a ratio, by both searches; nothing where another ratio is wanted meanwhile. */
async function measure(running, ratio, stale) {
    const all = [];
    for (let i = 0; i < FORMULAS && !measured.has(ratio); i++) {
        if (stale()) return undefined;
        const drawn = formulaOf(ratio, i);
        const outcome = await running.sat(dimacs(drawn), { engine: 'host', flips: LIMIT, seed: i });
        all.push({ ...decide(drawn), found: outcome.answer === 'satisfiable', flips: outcome.flips });
    }
    if (!measured.has(ratio)) measured.set(ratio, summary(all));
    showMeasured();
    return measured.get(ratio);
}

function summary(all) {
    const count = (holds) => all.filter(holds).length;
    return {
        satisfiable: count((one) => one.satisfiable),
        found: count((one) => one.found),
        flips: median(all.map((one) => one.flips)),
        decisions: median(all.map((one) => one.decisions)),
    };
}

async function measureAll() {
    const running = await engine();
    for (const ratio of RATIOS) {
        at('progress').textContent = `Ratio ${ratio} …`;
        await measure(running, ratio, () => false);
    }
    const hardest = RATIOS.reduce((a, b) => (measured.get(b).decisions > measured.get(a).decisions ? b : a));
    at('progress').textContent = `All ratios are measured. The most values were tried at ${hardest}.`;
}

function showMeasured() {
    const xs = RATIOS.filter((ratio) => measured.has(ratio));
    const curve = (name, value) => ({ name, xs, ys: xs.map((ratio) => value(measured.get(ratio))) });
    shares.set([
        curve('have a model', ({ satisfiable }) => satisfiable / FORMULAS),
        curve('found by the search of 2002', ({ found }) => found / FORMULAS),
    ]);
    work.set([
        curve('values tried by the complete search', ({ decisions }) => decisions),
        curve('flips of the search of 2002', ({ flips }) => flips),
    ]);
}

function showState() {
    const signs = { data: satisfied.data.slice(), shape: satisfied.shape.slice(0, 2) };
    const places = formula.clauses.length;
    signs.data.fill(NaN, places);
    const sign = (number) => (Number.isNaN(number) ? ' ' : number ? '·' : '✗');
    clauseGrid.show(signs, { range: [0, 1], format: sign });
    const unsatisfied = Array.from({ length: places }, (_, i) => i).filter((i) => satisfied.data[i] === 0);
    clauseGrid.mark(unsatisfied.map((i) => [i % COLUMNS, Math.floor(i / COLUMNS)]));
    assignmentGrid.show({ data: assignment, shape: [VARIABLES / SHOWN, SHOWN] }, { range: [0, 1] });
    const model = unsatisfied.length ? '' : ': this is a model';
    at('count').textContent = `${places - unsatisfied.length} of ${places} clauses are satisfied${model}.`;
}

function showClause(column, row) {
    const index = row * COLUMNS + column;
    const literals = formula?.clauses[index];
    if (!literals) return;
    const text = literals.map((literal) => `${literal < 0 ? 'not ' : ''}x${Math.abs(literal)}`).join(' or ');
    at('clause').textContent = `Clause ${index + 1}: ${text}, ${satisfied.data[index] ? 'satisfied' : 'not satisfied'}.`;
    assignmentGrid.mark(literals.map((literal) => place(Math.abs(literal))));
}

function showVariable(column, row) {
    const variable = row * SHOWN + column + 1;
    if (!formula) return;
    const count = formula.clauses.filter((clause) => clause.some((literal) => Math.abs(literal) === variable)).length;
    at('variable').textContent = `x${variable} is ${assignment[variable - 1] ? 'true' : 'false'}, and in ${plural(count, 'clause')}.`;
}

const place = (variable) => [(variable - 1) % SHOWN, Math.floor((variable - 1) / SHOWN)];

/** What a button does, one at a time; a failure is shown below the buttons. */
function acting(action) {
    return async () => {
        if (busy || !satisfied) return;
        busy = true;
        const buttons = document.querySelectorAll('#figure button');
        buttons.forEach((button) => button.setAttribute('aria-disabled', 'true'));
        try {
            await action();
        } catch (error) {
            at('outcome').replaceChildren(h('span.message.bad', {}, error.message));
        } finally {
            busy = false;
            buttons.forEach((button) => button.removeAttribute('aria-disabled'));
        }
    };
}
