// One engine for a page. Where the browser cannot compute, the page says what it lacks, above everything else.
import { h } from './dom.js';

// The engine lies beside the pages as it is, for other sites to take: no part of what is bundled.
const ENGINE = new URL(`${document.documentElement.dataset.root}package/index.js`, document.baseURI);

let running;

/** The engine of this page, which is started by the first call. */
export function engine() {
    running ??= import(ENGINE.href)
        .then(({ start }) => start())
        .catch((error) => {
            running = undefined;
            if (error.kind === 'unsupported') report(error);
            throw error;
        });
    return running;
}

/** Ends the engine, with whatever it computes, and starts another one. */
export function restart() {
    // An engine that never started has nothing to stop.
    running?.then(
        (old) => old.stop(),
        () => {},
    );
    running = undefined;
    return engine();
}

function report(error) {
    if (document.querySelector('.lacking')) return;
    const text = `This browser cannot compute here. ${error.message}`;
    const hint =
        'The pages need WebGL 2 with float render targets (EXT_color_buffer_float), in a worker with OffscreenCanvas. ' +
        'Check that the settings of the browser allow WebGL, or take a current Firefox or Chromium.';
    document.body.prepend(h('div.message.bad.lacking', { role: 'alert' }, text, h('p', {}, hint)));
}
