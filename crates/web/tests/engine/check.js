// What the cases in the page compare with: numbers made in a fixed order, and assertions that say what they found.

/** Fails with the text. */
export function fail(text) {
    throw new Error(text);
}

export function equal(found, expected, what = 'value') {
    const [f, e] = [JSON.stringify(found), JSON.stringify(expected)];
    if (f !== e) fail(`${what}: expected ${e}, found ${f}`);
}

export function ok(holds, what) {
    if (!holds) fail(what);
}

/** Each number of `found` against that of `expected`: the same, or within `tolerance` of the largest that is finite. With 0 bits alone count. */
export function near(found, expected, tolerance, what = 'numbers') {
    equal(found.length, expected.length, `${what}: length`);
    const scale = tolerance * expected.reduce((most, x) => (Number.isFinite(x) ? Math.max(most, Math.abs(x)) : most), 0);
    const wrong = (x, y) => !Object.is(x, y) && !(tolerance > 0 && Math.abs(x - y) <= scale);
    const at = Array.from(expected).findIndex((x, i) => wrong(found[i], x));
    if (at >= 0) fail(`${what}: at ${at} of ${expected.length} expected ${expected[at]}, found ${found[at]} (tolerance ${scale})`);
}

/** Bits alone count: -0 is not 0, and a NaN is a NaN. */
export const same = (found, expected, what) => near(found, expected, 0, what);

/** Waits for an error, and returns it; its message must match. */
export async function rejects(promise, message, kind = 'failure') {
    const error = await promise.then(
        (value) => fail(`expected an error that matches ${message}, found ${JSON.stringify(value)?.slice(0, 200)}`),
        (error) => error,
    );
    ok(error instanceof Error, `expected an Error, found ${error}`);
    ok(message.test(error.message), `expected a message that matches ${message}, found: ${error.message}`);
    equal(error.kind, kind, `the kind of "${error.message}"`);
    ok(Array.isArray(error.diagnostics), 'the error has diagnostics');
    return error;
}

/** Numbers from -1 to 1, the same ones for a seed in every browser (a linear congruential generator of 32 bits). */
export function numbers(count, seed = 1) {
    let state = seed >>> 0;
    return Float32Array.from({ length: count }, () => {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        return state / 2 ** 31 - 1;
    });
}

export function array(shape, seed = 1) {
    return {
        data: numbers(
            shape.reduce((a, b) => a * b, 1),
            seed,
        ),
        shape,
    };
}

/** The norm of b - A x over that of b, with A as a function of x, in double precision. */
export function residual(apply, x, b) {
    const product = apply(x);
    const norm = (v) => Math.sqrt(v.reduce((sum, y) => sum + y * y, 0));
    return norm(b.map((y, i) => y - product[i])) / norm(b);
}
