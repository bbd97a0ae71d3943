// The engine: makes a context when it starts, and answers each message { id, call, arguments } by { id, result } or { id, error }.
import init, { Context } from './quadrille.js';

const ready = init().then(() => new Context());

const calls = {
    describe: (context) => ({ renderer: context.renderer, maxTextureSize: context.maxTextureSize }),
    run: (context, text, width, height, inputs) => context.run(text, width, height, inputs),
    solve: (context, stencil, tolerance, b) => context.solve(stencil, tolerance, b),
};

self.onmessage = async ({ data: { id, call, values } }) => {
    try {
        self.postMessage({ id, result: calls[call](await ready, ...values) });
    } catch (error) {
        self.postMessage({ id, error: String(error.message ?? error) });
    }
};
