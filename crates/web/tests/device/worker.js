// Runs the device tests that it is asked for, one after the other, in the compiled module.
import init, { names, run } from './quadrille.js';

const ready = init({ module_or_path: new URL('./quadrille_bg.wasm', import.meta.url) });

self.onmessage = async ({ data: name }) => {
    await ready;
    if (name === null) return self.postMessage(names());
    const began = performance.now();
    const took = () => performance.now() - began;
    try {
        self.postMessage({ ran: run(name), took: took() });
    } catch (error) {
        self.postMessage({ failed: String(error.message ?? error), took: took() });
    }
};
