// Experiments and kernels: what lives on the device between two calls.
import { array, equal, rejects, same } from './check.js';

const STEP = `uniform sampler2D old;
    uniform float factor;
    layout(location = 0) out float next;
    layout(location = 1) out vec2 pair;
    void main() { float x = READ(old, TEXEL).r; next = factor * x + 1.0; pair = vec2(x, -x); }`;
const settings = (old) => ({ shader: STEP, inputs: { old }, uniforms: { factor: 0.5 }, feedback: { next: 'old' } });

const after = (data, steps, factor = 0.5) => {
    let x = data;
    for (let step = 0; step < steps; step++) x = x.map((v) => factor * v + 1);
    return x;
};

export const experiment = {
    'steps, reading, setting, writing, starting again': async (engine) => {
        const old = array([19, 41]);
        const one = await engine.experiment(settings(old));
        equal(await one.step(), 1);
        equal(await one.step(6), 7);
        same((await one.read()).data, after(old.data, 7), 'seven steps');
        same(
            (await one.read('pair')).data.filter((_, i) => i % 2 === 0),
            after(old.data, 6),
            'the other output',
        );
        await one.set('factor', 0.25);
        await one.step(2);
        same((await one.read('next')).data, after(after(old.data, 7), 2, 0.25), 'after a uniform was set');
        const fresh = array([19, 41], 99);
        await one.write('old', fresh);
        await one.step();
        same((await one.read('next')).data, after(fresh.data, 1, 0.25), 'after an input was written');
        await one.restart();
        equal(await one.step(), 1, 'steps after the restart');
        await one.close();
        await rejects(one.step(), /clos/i);
    },

    'facts of an experiment': async (engine) => {
        const one = await engine.experiment(settings(array([6, 8])));
        equal(one.dialect, 'plain');
        equal(one.inputs, [{ name: 'old', shape: [6, 8] }]);
        equal(
            one.uniforms.map(({ name, type }) => [name, type]),
            [['factor', 'float']],
        );
        equal(Number(one.uniforms[0].value), 0.5);
        equal(
            one.outputs.map(({ name, shape, becomes }) => [name, shape, becomes ?? null]),
            [
                ['next', [6, 8], 'old'],
                ['pair', [6, 8, 2], null],
            ],
        );
        equal(one.steps, 1);
        await one.close();
    },

    'two experiments at once do not disturb each other': async (engine) => {
        const [a, b] = [array([9, 9], 5), array([33, 2], 6)];
        const [one, two] = await Promise.all([engine.experiment(settings(a)), engine.experiment(settings(b))]);
        await Promise.all([one.step(3), two.step(5), one.step(1)]);
        same((await one.read()).data, after(a.data, 4));
        same((await two.read()).data, after(b.data, 5));
        await Promise.all([one.close(), two.close()]);
    },

    'ten steps of heat, one by one and by one call, against a loop': async (engine) => {
        const shader =
            'uniform sampler2D old;\nout float next;\nvoid main() {\n' +
            'next = READ(old, TEXEL).r + 0.25 * (READ_CLAMPED(old, TEXEL + ivec2(1, 0)).r - READ(old, TEXEL).r); }';
        const old = array([67, 45], 3);
        const description = { shader, inputs: { old }, feedback: { next: 'old' } };
        let expected = old.data;
        for (let step = 0; step < 10; step++) {
            // A quarter is exact, so that each step rounds twice, whatever is contracted.
            expected = expected.map((x, i) => x + 0.25 * Math.fround((i % 45 < 44 ? expected[i + 1] : x) - x));
        }
        const one = await engine.experiment(description);
        for (let step = 0; step < 10; step++) await one.step();
        same((await one.read()).data, expected, 'step by step');
        await one.close();
        const { next } = await engine.run({ ...description, iterate: 10 });
        same(next.data, expected, 'by one call');
    },

    'a kernel for arrays of any size': async (engine) => {
        const kernel = await engine.kernel(
            'uniform sampler2D a;\nuniform float factor;\nout float v;\nvoid main() { v = factor * READ(a, TEXEL).r; }',
        );
        equal([kernel.inputs, kernel.outputs, kernel.uniforms.map(({ name }) => name)], [['a'], ['v'], ['factor']]);
        for (const shape of [
            [1, 1],
            [31, 17],
            [2, 501],
        ]) {
            const a = array(shape, shape[0]);
            const { v } = await kernel.run({ inputs: { a }, uniforms: { factor: 3 } });
            equal(v.shape, shape);
            same(
                v.data,
                a.data.map((x) => 3 * x),
            );
        }
        await kernel.close();
        await rejects(kernel.run({ inputs: { a: array([1, 1]) }, uniforms: { factor: 3 } }), /clos/i);
    },
};
