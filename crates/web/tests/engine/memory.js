// Work that is done over and over, whose memory the test that drives the browser looks at before and after. Few arrays come to the page,
// since what JavaScript leaves behind would hide what the engine does.
import { array, same } from './check.js';

const STEP = 'uniform sampler2D old;\nuniform float by;\nout vec4 next;\nvoid main() { next = READ(old, TEXEL) + by; }';
const settings = (old) => ({ shader: STEP, inputs: { old }, uniforms: { by: 1 }, feedback: { next: 'old' } });

/** An experiment of a single pass, with textures of its own. */
async function once(engine) {
    const one = await engine.experiment(settings('zeros:64x64x4'));
    await one.step();
    await one.close();
}

export const memory = {
    'ten thousand passes: 9000 steps of one experiment, and 1000 experiments of one step': async (engine, rounds) => {
        const old = { data: array([64, 64, 4]).data.map((x) => Math.round(100 * x)), shape: [64, 64, 4] };
        const one = await engine.experiment(settings(old));
        for (let i = 0; i < rounds; i++) {
            await one.step(180);
            await Promise.all(Array.from({ length: 20 }, () => once(engine)));
        }
        same(
            (await one.read()).data,
            old.data.map((x) => x + 180 * rounds),
        );
        await one.close();
    },
};
