// The device, and its accuracy card.
import { start } from '/package/index.js';
import { array, equal, ok, rejects, same } from './check.js';

export const device = {
    'the device is described': async (engine) => {
        const { renderer, vendor, version, maxTextureSize, software } = engine.device;
        ok(
            [renderer, vendor, version].every((text) => typeof text === 'string' && text.length > 0),
            'texts',
        );
        ok(maxTextureSize >= 2048, `textures of ${maxTextureSize}`);
        equal(software, true, 'a software renderer');
        await engine.finish();
        return `${renderer}; ${version}`;
    },

    'a browser without WebGL 2 is refused': async () => {
        const worker = new Worker(new URL('./missing-worker.js', import.meta.url), { type: 'module' });
        await rejects(start({ worker }), /WebGL ?2/, 'unsupported');
        worker.terminate();
    },

    'arrays that were given stay as they were': async (engine) => {
        const a = array([30, 20], 2);
        const before = a.data.slice();
        const b = new Float64Array(81).fill(1);
        await Promise.all([
            engine.run({ shader: 'uniform sampler2D a;\nout float v;\nvoid main() { v = READ(a, TEXEL).r; }', inputs: { a } }),
            engine.upload(a),
            engine.sort(a),
            engine.matmul(a, array([20, 5])),
            engine.writeFile('a.npy', a),
            engine.solve('poisson5:9', b),
        ]);
        same(a.data, before);
        equal([b.length, b[80], a.shape], [81, 1, [30, 20]]);
    },

    'calls that do not wait for each other are answered in their order': async (engine) => {
        const order = [];
        await Promise.all(Array.from({ length: 20 }, (_, i) => engine.sum(array([10 + i], i)).then(() => order.push(i))));
        equal(
            order,
            Array.from({ length: 20 }, (_, i) => i),
        );
    },
};

/** Of one browser, since it takes ten seconds. */
export const card = {
    'an accuracy card with its sentences': async (engine) => {
        const told = [];
        const made = await engine.card({ progress: (done, expected) => told.push([done, expected]) });
        ok(typeof made.device === 'string' && made.device.length > 0, 'the card names its device');
        ok(told.length > 2 && told.every(([done], i) => i === 0 || done >= told[i - 1][0]), `progress grows, told ${told.length} times`);
        const sections = await engine.verdicts(made);
        ok(sections.length > 0 && sections.every(({ title, verdicts }) => title && verdicts.length > 0), 'each section has sentences');
        ok(
            sections.flatMap(({ verdicts }) => verdicts).every(({ text, good }) => text && typeof good === 'boolean'),
            'each has a text',
        );
        return `${sections.length} sections`;
    },
};
