// The cards of other devices, and a card of the engine in the same form.
import h200 from './h200.json';
import llvmpipe from './llvmpipe.json';
import swiftshader from './swiftshader.json';

/** What names a row of a card. */
export const keyOf = ({ operation, range }) => `${operation} over ${range}`;

const byName = (rows) => new Map(rows.map((row) => [keyOf(row), row]));

/** The card that the engine made: its rows of fragment shaders. Where a result is NaN or infinite, JSON has null for the error. */
export function ofEngine(card, verdicts) {
    const fragment = card.accuracy.filter(({ engine }) => engine === 'fragment');
    const rows = fragment.map(({ operation, range, max_ulps, mean_ulps, not_nearest, arguments: count, promise, kept }) => ({
        operation, range, promise, kept,
        max: max_ulps ?? Infinity, mean: mean_ulps ?? Infinity, inexact: (100 * not_nearest) / Math.max(1, count),
    }));
    return { name: 'this browser', description: `${card.device}, ${card.api}`, rows: byName(rows), verdicts };
}

function committed({ name, description, accuracy, verdicts }) {
    const row = ([operation, range, max, mean, inexact, promise, kept]) => ({ operation, range, max, mean, inexact, promise, kept });
    const rows = accuracy.map(row);
    return { name, description, rows: byName(rows), verdicts };
}

export const OTHERS = [llvmpipe, swiftshader, h200].map(committed);
