// 3-SAT and vertex programs.
import { equal, near, numbers, ok, rejects } from './check.js';

/** A random formula that the assignment `i is true if i is even` satisfies. */
function formula(variables, clauses, seed) {
    const random = numbers(6 * clauses * 4, seed);
    let at = 0;
    const draw = (n) => Math.floor(((random[at++] + 1) / 2) * n * 0.999999);
    const lines = [];
    while (lines.length < clauses) {
        const clause = [0, 1, 2].map(() => (draw(variables) + 1) * (draw(2) ? 1 : -1));
        if (new Set(clause.map(Math.abs)).size === 3 && clause.some((x) => x > 0 === (x % 2 === 0))) lines.push(clause);
    }
    return lines;
}

const dimacs = (variables, clauses) => `p cnf ${variables} ${clauses.length}\n${clauses.map((c) => `${c.join(' ')} 0`).join('\n')}\n`;

/** One instruction reads one input register. */
const SUM = 'MOV R0, v[1];\nADD o[1], R0, v[2];\n';

export const programs = {
    'a formula with a model, which is checked': async (engine) => {
        const clauses = formula(40, 120, 5);
        const found = await engine.sat(dimacs(40, clauses), { seed: 1 });
        equal([found.answer, found.clauses, found.satisfied], ['satisfiable', 120, 120]);
        equal(
            Array.from(found.model, Math.abs).sort((a, b) => a - b),
            Array.from({ length: 40 }, (_, i) => i + 1),
            'a literal of each variable',
        );
        const model = new Set(found.model);
        ok(
            clauses.every((clause) => clause.some((literal) => model.has(literal))),
            'each clause has a literal of the model',
        );
        return `${found.flips} flips`;
    },

    'a formula without a model is not called satisfiable': async (engine) => {
        const clauses = [0, 1, 2, 3, 4, 5, 6, 7].map((bits) => [1, 2, 3].map((x, i) => (bits & (1 << i) ? x : -x)));
        const found = await engine.sat(dimacs(3, clauses), { seed: 1, flips: 200, restarts: 2 });
        ok(found.answer !== 'satisfiable' && found.model === undefined, `found ${found.answer}`);
        equal(found.satisfied, 7, 'all but one');
    },

    'formulas that are refused, by line': async (engine) => {
        await rejects(engine.sat('p cnf 2 1\n1 7 0\n'), /7/);
        await rejects(engine.sat('hello'), /./);
    },

    'a vertex program with a constant': async (engine) => {
        const x = numbers(4 * 33, 3);
        const found = await engine.vp('MUL R0, v[1], v[1];\nMAD o[1], R0, c[11], v[1];\n', [x], { constants: { 11: 0.5 } });
        near(
            found,
            x.map((v) => 0.5 * v * v + v),
            1e-6,
        );
    },

    'a vertex program over two vectors, by each engine': async (engine) => {
        const [x, y] = [numbers(4 * 21, 1), numbers(4 * 21, 2)];
        for (const name of ['attributes', 'vertex', 'feedback', 'fragment', 'simulator']) {
            near(
                await engine.vp(SUM, [x, y], { engine: name }),
                x.map((v, i) => v + y[i]),
                1e-6,
                name,
            );
        }
    },

    'a vertex program whose results are summed': async (engine) => {
        // An invocation reads 60 numbers, four in each of fifteen registers; the program looks at the first and at the last.
        const x = numbers(180, 4);
        const sum = await engine.vp('DP4 R1.x, v[1], v[1];\nDP4 R2.x, v[15], v[15];\nADD o[1].x, R1.x, R2.x;\n', [x], { reduce: true });
        const exact = x.reduce((all, v, i) => (i % 60 < 4 || i % 60 >= 56 ? all + v * v : all), 0);
        ok(Math.abs(sum - exact) < 1e-4, `the sum is ${exact}, found ${sum}`);
    },

    'a vertex program that is wrong, by line': async (engine) => {
        const error = await rejects(engine.vp('MOV R0, v[1];\nMUV o[1], R0;\n', [numbers(4)]), /MUV/);
        equal(error.diagnostics[0]?.line, 2, 'the line');
        await rejects(engine.vp(SUM, [numbers(4), numbers(8)]), /4[^]*8|8[^]*4/);
    },
};
