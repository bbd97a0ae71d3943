// What the tests of the playground share: a page that was opened with a state, and the numbers that it gives.
import assert from 'node:assert/strict';
import { readNpy } from './npy.mjs';
import { fragment } from './visitor.mjs';

/** A state of the playground with one shader. */
export const state = (shader, rest = {}) => ({ main: 'shader.frag', files: { 'shader.frag': shader }, ...rest });

/** Opens the playground with a state, and waits until it has computed something. */
export const open = (visitor, begun, act, address = '/index.html') =>
    visitor.visit(address + (begun ? fragment(begun) : ''), async (guest, page) => {
        await ran(guest);
        return act(guest, page);
    });

/** Waits until steps were run, or so many. */
export const ran = (guest, steps) =>
    guest.until(
        `${steps ?? 'some'} steps`,
        (steps) => {
            const found = parseInt(document.querySelector('#iteration')?.textContent);
            return steps === undefined ? found > 0 : found === steps;
        },
        steps,
    );

/** Waits until the page is done, and reads the output that it saves. */
export async function output(guest, name = 'v') {
    await guest.until(
        'the end of the run',
        () => document.querySelector('#run').disabled === false && parseInt(document.querySelector('#iteration').textContent) > 0,
    );
    return readNpy(await guest.saved('#save-npy', `${name}.npy`));
}

/** Waits until the saved output has these numbers. */
export async function gives(guest, expected, name = 'v') {
    let found;
    for (let tries = 0; tries < 20; tries++) {
        found = Array.from((await output(guest, name)).data);
        if (found.length === expected.length && found.every((x, i) => Object.is(x, expected[i]))) return;
        await new Promise((resolve) => setTimeout(resolve, 150));
    }
    assert.deepEqual(found.slice(0, 12), Array.from(expected.slice(0, 12)), 'the numbers that were saved');
    assert.fail(`other numbers than expected behind the first ones, or ${found.length} in place of ${expected.length}`);
}
