// The engine: makes a context when it starts, and answers each message { id, object, call, values } by { id, result }, { id, error } or
// { id, tells, values }, which calls a function of the page. Objects that stay here, such as experiments, have numbers; the context has the number 0.
import init, { Context } from './quadrille.js';

const LOST = 'the context is lost: the browser took it away; start another engine, and give it its arrays again';

const objects = new Map();
let last = 0;

// A lost context may come back under the same canvas, but what was on the device does not: the page starts another worker.
const ready = library().then((module_or_path) => init({ module_or_path })).then(() => objects.set(0, new Context()));

// Each message is answered with what went wrong.
ready.catch(() => {});

/** The compiled library, which is compressed as it lies here, whatever the server does. */
async function library() {
    const response = await fetch(new URL('./quadrille.wasm.gz', import.meta.url));
    if (!response.ok) throw new Error(`${response.url}: expected the compiled library, got ${response.status} ${response.statusText}`);
    const bytes = response.body.pipeThrough(new DecompressionStream('gzip'));
    return new Response(bytes, { headers: { 'content-type': 'application/wasm' } });
}

/** Makes what was returned known to the page: an object that stays here by its number and its facts. */
function sent(result, message) {
    if (message.keeps === undefined) return result;
    objects.set(++last, result);
    const facts = Object.fromEntries(message.keeps.map((name) => [name, taken(result[name], result)]));
    return { object: last, ...facts };
}

const taken = (value, of) => (typeof value === 'function' ? value.call(of) : value);

/** Finds the objects and makes the functions that a message stands for. */
function given(value, id) {
    if (value?.object !== undefined) return known(value.object);
    if (value?.tells !== undefined) return (...values) => self.postMessage({ id, tells: value.tells, values }, buffers(values));
    return value;
}

/** The arrays of a result go to the page without a copy. */
function buffers(value, found = []) {
    if (ArrayBuffer.isView(value)) found.push(value.buffer);
    else if (value !== null && typeof value === 'object') Object.values(value).forEach((part) => buffers(part, found));
    return found;
}

function known(object) {
    const found = objects.get(object);
    if (found === undefined) throw new Error('what was asked for was closed, or belongs to another engine');
    return found;
}

function failure(error) {
    // A call that the loss came in the midst of fails for reasons of its own.
    if (error?.kind !== 'lost' && isLost()) return { kind: 'lost', diagnostics: [], message: LOST };
    // Where the compiled library has stopped, by a defect or for lack of memory, nothing here can be trusted any more.
    const stopped = error instanceof WebAssembly.RuntimeError || error instanceof WebAssembly.CompileError;
    const { kind = stopped ? 'lost' : 'failure', diagnostics = [], solution } = error ?? {};
    return { kind, diagnostics, solution, message: String(error?.message ?? error) };
}

function isLost() {
    try {
        return objects.get(0)?.isLost() ?? false;
    } catch {
        // After a defect nothing of the library can be called.
        return true;
    }
}

self.onmessage = async ({ data: message }) => {
    const { id, object, call, values } = message;
    try {
        await ready;
        if (call === 'close') {
            objects.get(object)?.free();
            objects.delete(object);
            return self.postMessage({ id });
        }
        const target = known(object);
        const result = sent(target[call](...values.map((value) => given(value, id))), message);
        self.postMessage({ id, result }, buffers(result));
    } catch (error) {
        const answer = failure(error);
        self.postMessage({ id, error: answer }, buffers(answer.solution));
    }
};
