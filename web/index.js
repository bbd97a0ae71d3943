// quadrille in a page: each function returns a promise; the work is done in a worker.

/** Starts the engine. */
export function start() {
    const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
    const waiting = new Map();
    let last = 0;
    worker.onmessage = ({ data: { id, result, error } }) => {
        const { resolve, reject } = waiting.get(id);
        waiting.delete(id);
        if (error === undefined) resolve(result);
        else reject(new Error(error));
    };
    const failed = (event) => {
        for (const { reject } of waiting.values()) reject(new Error(event.message || 'the worker has failed'));
        waiting.clear();
    };
    worker.onerror = failed;
    const call = (name) => (...values) =>
        new Promise((resolve, reject) => {
            waiting.set(++last, { resolve, reject });
            worker.postMessage({ id: last, call: name, values });
        });
    return {
        describe: call('describe'),
        run: call('run'),
        solve: call('solve'),
        stop: () => {
            worker.terminate();
            failed({ message: 'the engine was stopped' });
        },
    };
}
