// What the tests say: a line for each case, with its time; failures once more at the end.
import process from 'node:process';

const failures = [];
let done = 0;
let pattern = '';

/** Runs the cases alone whose names have the text. */
export function only(text) {
    pattern = text.toLowerCase();
}

/** Whether a case of the name is to be run. */
export function wanted(name) {
    return name.toLowerCase().includes(pattern);
}

/** Notes a failure. */
export function failed(name, error) {
    failures.push({ name, error });
}

// What a person does in a page depends on when the browser paints and answers: such a case may be tried twice, and the line says so.
// What the engine computes may not.
const BY_HAND = /: (card|gallery|lesson|pages|playground|examples|sharing|troubles):? /;

/** Runs a case; an error of it is its failure, and the next ones run. A text that it returns stands in its line. */
export async function test(name, body) {
    if (!wanted(name)) return;
    const begin = performance.now();
    let [state, said, error] = await tried(body);
    if (error && BY_HAND.test(name)) {
        console.log(`again            ${name}: ${error.message.split('\n')[0]}`);
        [state, said, error] = await tried(body);
    }
    if (error) failed(name, error);
    done += 1;
    console.log(`${state.padEnd(6)} ${((performance.now() - begin) / 1000).toFixed(1).padStart(5)} s  ${name}${said && `  ${said}`}`);
}

async function tried(body) {
    try {
        return ['ok', (await body()) ?? ''];
    } catch (error) {
        return ['FAILED', `\n${error.stack ?? error}`, error];
    }
}

/** Says what was not tested, and why. */
export function skipped(name, why) {
    if (wanted(name)) console.log(`--              ${name}: ${why}`);
}

/** The last lines, and the exit code. */
export function end() {
    for (const { name, error } of failures) console.error(`FAILED: ${name}: ${error.message.split('\n')[0]}`);
    console.log(`${done} cases, of which ${failures.length} failed`);
    process.exitCode = failures.length > 0 || done === 0 ? 1 : 0;
}
