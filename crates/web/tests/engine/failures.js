// What is refused, and what ends in the midst: messages, places in shaders, engines that are stopped and contexts that are lost.
import { start } from '/package/index.js';
import { array, equal, ok, rejects, same } from './check.js';

const COPY = 'uniform sampler2D a;\nout vec4 v;\nvoid main() { v = READ(a, TEXEL); }';
const GROW = 'uniform sampler2D old;\nout float next;\nvoid main() { next = READ(old, TEXEL).r + 1.0; }';
const FEEDBACK = { next: 'old' };

async function place(engine, shader, line, column, message, settings = {}) {
    const error = await rejects(engine.run({ shader, size: [4, 4], ...settings }), message);
    const [first] = error.diagnostics;
    ok(first, `a place in: ${error.message}`);
    equal([first.file, first.line], [settings.name ?? 'shader.frag', line], 'file and line');
    if (column !== null) equal(first.column, column, 'column');
    ok(message.test(first.message), `the message at the place: ${first.message}`);
}

/** How many calls were done and how many failed; a failure of another kind is one of the test. */
async function outcomes(promises, kind) {
    const settled = await Promise.allSettled(promises);
    const failed = settled.filter(({ status }) => status === 'rejected');
    for (const { reason } of failed) equal(reason.kind, kind, `the kind of "${reason.message}"`);
    return { done: settled.length - failed.length, failed: failed.length };
}

/** Calls of many kinds at once, each of which looks at what came. */
function work(engine) {
    const x = array([600], 3);
    const sorted = x.data.slice().sort();
    const steps = engine.experiment({ shader: GROW, inputs: { old: 'zeros:64x64' }, feedback: FEEDBACK }).then(async (one) => {
        for (let i = 1; i <= 12; i++) {
            equal(await one.step(10), 10 * i, 'steps');
            ok(
                (await one.read()).data.every((v) => v === 10 * i),
                `numbers after ${10 * i} steps`,
            );
        }
    });
    return [
        steps,
        engine.sort(x).then(({ data }) => same(data, sorted)),
        engine.solve('poisson5:20', null, { tolerance: 1e-10 }).then(({ residual }) => ok(residual <= 1e-10, `residual ${residual}`)),
        engine.sum(x).then((sum) => ok(Math.abs(sum - x.data.reduce((a, b) => a + b, 0)) < 1e-3, `sum ${sum}`)),
        ...Array.from({ length: 6 }, (_, i) =>
            engine.sort(array([50 + i], i)).then(({ data }) => same(data, array([50 + i], i).data.sort())),
        ),
    ];
}

export const failures = {
    'errors of the compiler: file, line, message': async (engine) => {
        await place(engine, 'out vec4 v;\nvoid main() {\n    v = vec4(nothing);\n}', 3, null, /nothing/);
        await place(engine, 'out vec4 v;\nvoid main() {\n    v = vec3(1.0);\n}', 3, null, /vec3|convert|type|dimension/i, {
            name: 'mine.frag',
        });
        await place(engine, 'out vec4 v;\n\n\nvoid main() { v = vec4(1.0) }', 4, null, /syntax|\}/);
        await place(
            engine,
            'void mainImage(out vec4 c, in vec2 p) {\n    vec2 uv = p / iResolutoin.xy;\n    c = vec4(uv, 0.0, 1.0);\n}',
            2,
            null,
            /iResolutoin/,
        );
    },

    'errors of a run file and of its shader': async (engine) => {
        const wrong = await rejects(engine.run({ runFile: 'iterate = 3\n[pass.a]\nshadr = "a.frag"\n' }), /shadr/);
        equal(wrong.diagnostics[0]?.line, 3, 'the line in the run file');
        const files = { 'a.frag': 'out vec4 v;\nvoid main() { v = vec4(nothing); }' };
        const error = await rejects(engine.run({ runFile: 'size = [4, 4]\n[pass.a]\nshader = "a.frag"\n', files }), /nothing/);
        equal([error.diagnostics[0]?.file, error.diagnostics[0]?.line], ['a.frag', 2]);
        await rejects(engine.run({ runFile: '[pass.a]\nshader = "absent.frag"\n' }), /absent\.frag/);
    },

    'unknown names list those there are': async (engine) => {
        const a = array([4, 4, 4]);
        await rejects(engine.run({ shader: COPY, inputs: { a, bogus: a } }), /bogus[^]*\ba\b|\ba\b[^]*bogus/);
        await rejects(engine.run({ shader: COPY, inputs: { a }, uniforms: { bogus: 1 } }), /bogus/);
        await rejects(engine.run({ shader: COPY, inputs: { a }, feedback: { bogus: 'a' } }), /bogus/);
        await rejects(engine.run({ shader: COPY }), /\ba\b/);
        await rejects(engine.run({ shader: COPY, inputs: { a }, bogus: 1 }), /bogus/);
        await rejects(engine.run({ shader: COPY, inputs: { a }, dialect: 'hlsl' }), /hlsl/);
        const one = await engine.experiment({ shader: COPY, inputs: { a } });
        await rejects(one.read('bogus'), /bogus[^]*v|v[^]*bogus/);
        await rejects(one.set('bogus', 1), /bogus/);
        await rejects(one.write('bogus', a), /bogus/);
        await one.close();
    },

    'wrong shapes and types': async (engine) => {
        const a = array([4, 4, 4]);
        await rejects(engine.run({ shader: COPY, inputs: { a: { data: a.data, shape: [5, 4, 4] } } }), /\ba\b[^]*64/);
        await rejects(engine.run({ shader: COPY, inputs: { a: { data: new Float64Array(16), shape: [4, 4] } } }), /Float32Array/);
        await rejects(engine.run({ shader: COPY, inputs: { a: { data: new Float32Array(16), shape: [4, -4] } } }), /-4|whole/);
        await rejects(engine.run({ shader: COPY, inputs: { a: 'noise:4x4' } }), /noise/);
        await rejects(engine.run({ shader: COPY, inputs: { a: 'zeros:0x4' } }), /0x4|1/);
        const uniform = 'uniform vec2 u;\nout vec2 v;\nvoid main() { v = u; }';
        await rejects(engine.run({ shader: uniform, uniforms: { u: [1, 2, 3] }, size: [1, 1] }), /\bu\b[^]*2/);
        await rejects(engine.run({ shader: uniform, uniforms: { u: 'one,two' }, size: [1, 1] }), /one/);
        const one = await engine.experiment({ shader: COPY, inputs: { a } });
        await rejects(one.write('a', array([3, 4, 4])), /\ba\b/);
        await one.close();
    },

    'sizes past the limit: in panels, or refused': async (engine) => {
        const limit = engine.device.maxTextureSize;
        const column = 'uniform ivec2 size;\nout float v;\nvoid main() { v = float(TEXEL.x); }';
        const { v } = await engine.run({ shader: column, size: [limit + 1, 2] });
        same(
            v.data,
            Float32Array.from({ length: 2 * (limit + 1) }, (_, i) => i % (limit + 1)),
            'in panels',
        );
        const sampled = 'uniform sampler2D a;\nout float v;\nvoid main() { v = texture(a, vec2(0.5)).r; }';
        await rejects(engine.run({ shader: sampled, inputs: { a: `zeros:${2 * limit}x2` } }), new RegExp(`${limit}`));
        await rejects(engine.run({ shader: column, size: [2 ** 30, 2] }), /memory|16777216|8388608/);
        await rejects(engine.run({ shader: column, size: [0, 2] }), /0 x 2|\[0, 2\]/);
        await rejects(engine.run({ shader: column, size: [-5, 2] }), /-5/);
    },

    'an engine goes on after errors': async (engine) => {
        const a = array([6, 6, 4]);
        for (let i = 0; i < 5; i++) await rejects(engine.run({ shader: 'void main() { nonsense }' }), /./);
        same((await engine.run({ shader: COPY, inputs: { a } })).v.data, a.data);
    },

    'an engine that is stopped in the midst of steps without an end': async () => {
        const engine = await start();
        // Both are without an end: steps leave the engine to other calls, and a short one may be done by then.
        const endless = () =>
            engine.run({ shader: GROW, inputs: { old: 'zeros:256x256' }, feedback: FEEDBACK, iterate: 1e12 });
        const waits = [endless(), endless()];
        await new Promise((resolve) => setTimeout(resolve, 300));
        const begin = performance.now();
        engine.stop();
        equal(await outcomes(waits, 'stopped'), { done: 0, failed: 2 });
        ok(performance.now() - begin < 1000, 'the promises are rejected at once');
        await rejects(engine.run({ shader: COPY, inputs: { a: 'zeros:2x2x4' } }), /stopped/, 'stopped');
        const next = await start();
        equal((await next.run({ shader: COPY, inputs: { a: 'zeros:2x2x4' } })).v.shape, [2, 2, 4]);
        next.stop();
    },

    'a context that is lost, at any call: what comes is right, all else is rejected': async () => {
        let [done, failed, started] = [0, 0, 0];
        for (const call of [1, 40, 150, 400, 800, 1500, 2500]) {
            const worker = new Worker(new URL('./losing-worker.js', import.meta.url), { type: 'module', name: String(call) });
            const engine = await start({ worker }).catch((error) =>
                ok(['lost', 'unsupported'].includes(error.kind), `kind ${error.kind}: ${error.message}`),
            );
            if (!engine) continue;
            started += 1;
            const found = await outcomes(work(engine), 'lost');
            [done, failed] = [done + found.done, failed + found.failed];
            engine.stop();
        }
        ok(done > 10 && failed > 30, `${done} were done and ${failed} failed`);
        return `${started} engines, ${done} calls done, ${failed} rejected`;
    },

    'two engines in a page': async (engine) => {
        const other = await start();
        const a = array([5, 5, 4]);
        const settings = { shader: COPY, inputs: { a } };
        const [one, two] = await Promise.all([engine.run(settings), other.run(settings)]);
        same(one.v.data, two.v.data);
        other.stop();
        same((await engine.run(settings)).v.data, a.data, 'after the other was stopped');
    },
};
