// Random formulas of 3-SAT, and a complete search, which decides whether a small one can be satisfied.
import { randoms } from './lesson.js';

/** A formula of `count` clauses: each has three different variables from 1 to `variables`, negative ones negated. */
export function randomFormula(variables, count, seed) {
    const random = randoms(seed);
    const clause = () => {
        const drawn = new Set();
        while (drawn.size < 3) drawn.add(1 + Math.floor(random() * variables));
        return [...drawn].map((variable) => (random() < 0.5 ? variable : -variable));
    };
    return { variables, clauses: Array.from({ length: count }, clause) };
}

/** A formula as a text in DIMACS's form. */
export function dimacs({ variables, clauses }) {
    return [`p cnf ${variables} ${clauses.length}`, ...clauses.map((clause) => `${clause.join(' ')} 0`), ''].join('\n');
}

/**
 * The search of Davis, Logemann and Loveland (1962): it tries both values of a variable after what clauses of one literal force, and so
 * finds a model or shows that there is none. `decisions` counts the tried values.
 */
export function decide({ variables, clauses }) {
    const values = new Int8Array(variables + 1); // 1, -1, or 0 where the variable is open
    const trail = [];
    let decisions = 0;

    const set = (literal) => {
        values[Math.abs(literal)] = Math.sign(literal);
        trail.push(Math.abs(literal));
    };
    const undo = (length) => {
        while (trail.length > length) values[trail.pop()] = 0;
    };
    const truth = (literal) => values[Math.abs(literal)] * Math.sign(literal);

    // The open literals of the shortest clause that is not satisfied; nothing where all are.
    const shortest = () => {
        let best;
        for (const clause of clauses) {
            if (clause.some((literal) => truth(literal) > 0)) continue;
            const open = clause.filter((literal) => truth(literal) === 0);
            if (!best || open.length < best.length) best = open;
            if (best.length === 0) break;
        }
        return best;
    };
    const search = () => {
        const begin = trail.length;
        for (let open = shortest(); ; open = shortest()) {
            if (!open) return true;
            if (open.length === 0) return undo(begin), false;
            if (open.length === 1) set(open[0]);
            else return branch(open[0]) || (undo(begin), false);
        }
    };
    const branch = (literal) => [literal, -literal].some((tried) => {
        const begin = trail.length;
        decisions++;
        set(tried);
        return search() || (undo(begin), false);
    });

    const satisfiable = search();
    return { satisfiable, decisions };
}
