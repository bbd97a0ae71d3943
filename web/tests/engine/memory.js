// Work that is done over and over, whose memory the test that drives the browser looks at before and after.
import { array, same } from './check.js';

const STEP = 'uniform sampler2D old;\nuniform float by;\nout vec4 next;\nvoid main() { next = READ(old, TEXEL) + by; }';
const runs = (engine, old, count) => Array.from({ length: count }, () => engine.run({ shader: STEP, inputs: { old }, uniforms: { by: 1 } }));

export const memory = {
    'ten thousand passes: 8000 steps, and 2000 runs with textures of their own': async (engine, rounds) => {
        const old = { data: array([64, 64, 4]).data.map((x) => Math.round(100 * x)), shape: [64, 64, 4] };
        const one = await engine.experiment({ shader: STEP, inputs: { old }, uniforms: { by: 1 }, feedback: { next: 'old' } });
        for (let i = 0; i < rounds; i++) {
            await one.step(100);
            await Promise.all(runs(engine, old, 25));
        }
        same((await one.read()).data, old.data.map((x) => x + 100 * rounds));
        await one.close();
    },
};
