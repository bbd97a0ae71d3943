// One step or several of a shader, and what stands around it: inputs, rules, uniforms, sampling, dialects, run files.
import { array, equal, near, numbers, ok, rejects, same } from './check.js';

const PRODUCT = 'uniform sampler2D a;\nuniform sampler2D b;\nout vec4 v;\nvoid main() { v = READ(a, TEXEL) * READ(b, TEXEL); }';
const SUM = PRODUCT.replace(') * READ', ') + READ');
const COPY = 'uniform sampler2D a;\nout float v;\nvoid main() { v = READ(a, TEXEL).r; }';
const SHAPES = [
    [1, 1, 4],
    [29, 37, 4],
    [1, 1000, 4],
    [257, 3, 4],
    [64, 64, 4],
];

/** What a shader without inputs computes for its `v`. */
const only = async (engine, shader, settings) => (await engine.run({ shader, ...settings })).v;

export const run = {
    'macros, texts that are included and put in front, half precision, a halo and a later first step': async (engine) => {
        const shader = '#include "twice.glsl"\nuniform sampler2D a;\nuniform int iteration;\nout vec4 v;\nvoid main() { v = vec4(twice(N), SEEN, READ(a, TEXEL).r, iteration); }';
        const settings = {
            shader, size: [1, 1], define: { N: 3.5 }, common: '#define SEEN 7.0', start: 41, halo: 1, reads: 'sample',
            include: { 'twice.glsl': 'float twice(float x) { return 2.0 * x; }' },
            inputs: { a: { data: new Float32Array([1 + 2 ** -12]), shape: [1] } },
        };
        const { v } = await engine.run({ ...settings, precision: { a: 'half' } });
        same(v.data, [7, 7, 1, 41]);
        same((await engine.run(settings)).v.data, [7, 7, Math.fround(1 + 2 ** -12), 41]);
        await rejects(engine.run({ ...settings, include: {} }), /twice\.glsl/);
        await rejects(engine.run({ ...settings, include: 'twice.glsl' }), /include: expected an object/);
    },

    'products have the bits of float32': async (engine) => {
        for (const shape of SHAPES) {
            const [a, b] = [array(shape, 2), array(shape, 3)];
            const { v } = await engine.run({ shader: PRODUCT, inputs: { a, b } });
            equal(v.shape, shape);
            same(
                v.data,
                a.data.map((x, i) => x * b.data[i]),
                `products of ${shape}`,
            );
        }
    },

    'sums have the bits of float32': async (engine) => {
        for (const shape of SHAPES) {
            const [a, b] = [array(shape, 4), array(shape, 5)];
            const { v } = await engine.run({ shader: SUM, inputs: { a, b } });
            same(
                v.data,
                a.data.map((x, i) => x + b.data[i]),
                `sums of ${shape}`,
            );
        }
    },

    'one to four channels': async (engine) => {
        for (const channels of [1, 2, 3, 4]) {
            const shape = channels === 1 ? [17, 31] : [17, 31, channels];
            const [type, part] = channels === 1 ? ['float', '.r'] : [`vec${channels}`, '.' + 'rgba'.slice(0, channels)];
            const shader = `uniform sampler2D a;\nout ${type} v;\nvoid main() { v = READ(a, TEXEL)${part}; }`;
            const a = array(shape, channels);
            const { v } = await engine.run({ shader, inputs: { a } });
            equal(v.shape, shape);
            same(v.data, a.data);
        }
    },

    'a vector of one axis is a row': async (engine) => {
        const a = array([333]);
        const { v } = await engine.run({ shader: COPY, inputs: { a } });
        same(v.data, a.data);
        equal(v.shape.at(-1), 333);
    },

    'NaN, infinities, zeros of both signs and the largest numbers come back': async (engine) => {
        const a = {
            data: new Float32Array([NaN, Infinity, -Infinity, 0, -0, 3.4028234663852886e38, 1.1754943508222875e-38, 16777217]),
            shape: [2, 4],
        };
        const { v } = await engine.run({ shader: COPY, inputs: { a } });
        same(v.data, a.data);
    },

    'integers of both kinds': async (engine) => {
        const i = { data: Int32Array.from({ length: 77 }, (_, i) => (i - 38) * 55_555_555), shape: [7, 11] };
        const u = { data: Uint32Array.from({ length: 77 }, (_, i) => i * 55_555_555), shape: [7, 11] };
        const shader = `uniform isampler2D i;
            uniform usampler2D u;
            layout(location = 0) out float low;
            layout(location = 1) out float high;
            void main() {
                int x = READ(i, TEXEL).r;
                low = float(x & 65535);
                high = float(READ(u, TEXEL).r >> 16u);
            }`;
        const { low, high } = await engine.run({ shader, inputs: { i, u } });
        same(
            low.data,
            Float32Array.from(i.data, (x) => x & 65535),
            'low halves',
        );
        same(
            high.data,
            Float32Array.from(u.data, (x) => x >>> 16),
            'high halves',
        );
    },

    'integers become floats where a shader reads floats': async (engine) => {
        const a = { data: new Int32Array([1, 2, 3, -4, 5, 6]), shape: [2, 3] };
        same((await engine.run({ shader: COPY, inputs: { a } })).v.data, Float32Array.from(a.data));
    },

    'several outputs of different types': async (engine) => {
        const shader = `uniform sampler2D a;
            layout(location = 0) out float one;
            layout(location = 1) out vec3 three;
            void main() { vec4 x = READ(a, TEXEL); one = x.a; three = x.bgr; }`;
        const a = array([5, 9, 4]);
        const { one, three } = await engine.run({ shader, inputs: { a } });
        equal(
            [one.shape, three.shape],
            [
                [5, 9],
                [5, 9, 3],
            ],
        );
        near(
            one.data,
            Float32Array.from({ length: 45 }, (_, i) => a.data[4 * i + 3]),
            0,
        );
        near(
            three.data,
            Float32Array.from({ length: 135 }, (_, i) => a.data[4 * Math.floor(i / 3) + 2 - (i % 3)]),
            0,
        );
    },

    'neighbours: clamped and wrapped': async (engine) => {
        const shader = `uniform sampler2D a;
            out vec2 v;
            void main() { v = vec2(READ_CLAMPED(a, TEXEL + ivec2(-1, 1)).r, READ_WRAPPED(a, TEXEL + ivec2(-1, 1)).r); }`;
        const [height, width] = [13, 19];
        const a = array([height, width]);
        const { v } = await engine.run({ shader, inputs: { a } });
        const expected = Float32Array.from({ length: 2 * height * width }, (_, k) => {
            const [x, y] = [(k >> 1) % width, Math.floor((k >> 1) / width)];
            const [column, row] = k % 2 ? [(x - 1 + width) % width, (y + 1) % height] : [Math.max(x - 1, 0), Math.min(y + 1, height - 1)];
            return a.data[row * width + column];
        });
        same(v.data, expected);
    },

    'size, and y = 0 is the first row': async (engine) => {
        const v = await only(engine, 'uniform ivec2 size;\nout vec2 v;\nvoid main() { v = vec2(TEXEL.y, size.x); }', { size: [7, 5] });
        equal(v.shape, [5, 7, 2]);
        same(
            v.data,
            Float32Array.from({ length: 70 }, (_, k) => (k % 2 ? 7 : Math.floor(k / 14))),
        );
    },

    'thirty steps with feedback, and the iteration': async (engine) => {
        const shader =
            'uniform sampler2D a;\nuniform int iteration;\nout float v;\nvoid main() { v = 0.5 * READ(a, TEXEL).r + float(iteration); }';
        const a = array([11, 23]);
        const { v } = await engine.run({ shader, inputs: { a }, feedback: { v: 'a' }, iterate: 30 });
        let expected = a.data;
        // Half of a number is exact, so that contraction changes nothing.
        for (let step = 0; step < 30; step++) expected = expected.map((x) => 0.5 * x + step);
        same(v.data, expected);
    },

    'rules: zeros, ramp, random': async (engine) => {
        const rule = async (a, seed) => (await engine.run({ shader: COPY, inputs: { a }, seed })).v;
        equal((await rule('zeros:64x48')).shape, [48, 64]);
        ok(
            (await rule('zeros:64x48')).data.every((x) => x === 0),
            'zeros are 0',
        );
        near((await rule('ramp:5x2')).data, new Float32Array([0, 0.25, 0.5, 0.75, 1, 0, 0.25, 0.5, 0.75, 1]), 1e-6);
        const [first, again, other] = [await rule('random:64x48', 7), await rule('random:64x48', 7), await rule('random:64x48', 8)];
        same(first.data, again.data, 'of one seed');
        ok(
            first.data.some((x, i) => x !== other.data[i]),
            'another seed gives other numbers',
        );
        ok(
            first.data.every((x) => x >= 0 && x <= 1),
            'from 0 to 1',
        );
        const mean = first.data.reduce((a, b) => a + b, 0) / first.data.length;
        ok(Math.abs(mean - 0.5) < 0.02, `the mean is near 0.5, found ${mean}`);
    },

    'uniforms: numbers, switches, vectors, matrices, texts': async (engine) => {
        const shader = `uniform float f;
            uniform int i;
            uniform uint u;
            uniform bool b;
            uniform vec3 w;
            uniform mat2 m;
            out vec4 v;
            void main() { v = vec4(f, float(i) + float(u), b ? w.z : 0.0, m[1][0]); }`;
        const given = [
            { f: 0.1, i: -3, u: 5, b: true, w: [1, 2, 3.5], m: [1, 2, 3, 4] },
            { f: '0.1', i: '-3', u: '5', b: 'true', w: '1,2,3.5', m: '1,2,3,4' },
        ];
        for (const uniforms of given) {
            const v = await only(engine, shader, { uniforms, size: [1, 1] });
            same(v.data, new Float32Array([0.1, 2, 3.5, 3]), `of ${JSON.stringify(uniforms)}`);
        }
    },

    'uniform blocks: members by name, and blocks that nobody fills': async (engine) => {
        const shader = `layout(std140) uniform Params { float gain; vec3 at[2]; mat2 m; };
            layout(std140) uniform Other { float gain; } other;
            out vec4 v;
            void main() { v = vec4(gain, at[1].z, m[1][0], other.gain); }`;
        const rest = { at: [1, 2, 3, 4, 5, 6], m: [1, 2, 3, 4] };
        const given = { 'Params.gain': 0.5, 'Other.gain': 7, ...rest };
        const v = await only(engine, shader, { uniforms: given, size: [1, 1] });
        same(v.data, new Float32Array([0.5, 6, 3, 7]), 'of members by name');
        await rejects(engine.run({ shader, uniforms: { gain: 1, ...rest }, size: [1, 1] }), /Params\.gain[^]*Other\.gain|Other\.gain[^]*Params\.gain/);
        await rejects(engine.run({ shader, size: [1, 1] }), /Params[^]*gain/);
    },

    'sampling: repeat, mirror, clamp': async (engine) => {
        const shader = 'uniform sampler2D a;\nout float v;\nvoid main() { v = texture(a, vec2((float(TEXEL.x) - 3.5) / 4.0, 0.5)).r; }';
        const a = { data: new Float32Array([1, 2, 3, 4]), shape: [1, 4] };
        const expected = {
            clamp: [1, 1, 1, 1, 1, 2, 3, 4, 4, 4, 4, 4],
            repeat: [1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4],
            mirror: [4, 3, 2, 1, 1, 2, 3, 4, 4, 3, 2, 1],
        };
        for (const [wrap, line] of Object.entries(expected)) {
            for (const given of [wrap, { a: wrap }]) {
                const v = await only(engine, shader, { inputs: { a }, wrap: given, size: [12, 1] });
                same(v.data, new Float32Array(line), wrap);
            }
        }
    },

    'sampling: linear between the centres': async (engine) => {
        const shader = 'uniform sampler2D a;\nout float v;\nvoid main() { v = texture(a, vec2((float(TEXEL.x) + 1.0) / 4.0, 0.5)).r; }';
        const a = { data: new Float32Array([1, 2, 4, 8]), shape: [1, 4] };
        const v = await only(engine, shader, { inputs: { a }, filter: 'linear', size: [3, 1] });
        near(v.data, new Float32Array([1.5, 3, 6]), 1e-2);
    },

    'sampling: levels, where the text asks for them, and by the filter mipmap': async (engine) => {
        const lod = 'uniform sampler2D a;\nout float v;\nvoid main() { v = textureLod(a, vec2(0.5), 9.0).r; }';
        const a = { data: Float32Array.from({ length: 15 }, (_, i) => i), shape: [3, 5] };
        near((await only(engine, lod, { inputs: { a }, size: [1, 1] })).data, new Float32Array([7]), 1e-5);
        const plain = 'uniform sampler2D a;\nin vec2 uv;\nout float v;\nvoid main() { v = texture(a, uv).r; }';
        const square = { data: Float32Array.from({ length: 64 }, (_, i) => (i % 3 === 0 ? 1 : 0)), shape: [8, 8] };
        const mean = square.data.reduce((sum, x) => sum + x, 0) / 64;
        const v = await only(engine, plain, { inputs: { a: square }, filter: { a: 'mipmap' }, size: [1, 1] });
        near(v.data, new Float32Array([mean]), 1e-3);
    },

    'a Shadertoy shader: time, frame, y = 0 at the bottom': async (engine) => {
        const shader = 'void mainImage(out vec4 c, in vec2 p) { c = vec4(iTime, float(iFrame), p.y, iResolution.x); }';
        const { colour } = await engine.run({ shader, size: [6, 4], iterate: 31, rate: 10 });
        equal(colour.shape, [4, 6, 4]);
        near(
            colour.data,
            Float32Array.from({ length: 96 }, (_, i) => [3, 30, 3.5 - Math.floor(i / 24), 6][i % 4]),
            1e-6,
        );
        const flipped = (await engine.run({ shader, size: [6, 4], flip: false })).colour;
        equal(flipped.data[2], 0.5, 'the first row without a flip');
    },

    'shaders of the other dialects': async (engine) => {
        const sandbox =
            'uniform float time;\nuniform vec2 resolution;\nvoid main() { gl_FragColor = vec4(gl_FragCoord.xy / resolution, time, 1.0); }';
        const legacy = 'varying vec2 uv;\nuniform sampler2D image;\nvoid main() { gl_FragColor = texture2D(image, uv); }';
        const isf = `/*{ "INPUTS": [{ "NAME": "level", "TYPE": "float", "DEFAULT": 0.25 }] }*/
            void main() { gl_FragColor = vec4(level, isf_FragNormCoord, 1.0); }`;
        near(
            (await engine.run({ shader: sandbox, size: [2, 2] })).colour.data.slice(0, 4),
            new Float32Array([0.25, 0.75, 0, 1]),
            1e-6,
            'Sandbox',
        );
        const image = array([3, 5, 4]);
        same((await engine.run({ shader: legacy, inputs: { image } })).colour.data, image.data, 'WebGL 1');
        near(
            (await engine.run({ shader: isf, size: [2, 2] })).colour.data.slice(0, 4),
            new Float32Array([0.25, 0.25, 0.75, 1]),
            1e-6,
            'ISF',
        );
        const declared = await Promise.all([sandbox, legacy, isf, COPY].map((shader) => engine.declares({ shader })));
        equal(
            declared.map((one) => one.dialect),
            ['sandbox', 'legacy', 'isf', 'plain'],
        );
    },

    'a run file of two passes, its shader given as a file': async (engine) => {
        const runFile = `uniform.factor = 3
            [pass.along]
            shader = "scale.frag"
            [pass.back]
            shader = "scale.frag"
            uniform.factor = 0.5
            read.x = "along.y"`.replace(/^ +/gm, '');
        const files = {
            'scale.frag': 'uniform sampler2D x;\nuniform float factor;\nout float y;\nvoid main() { y = factor * READ(x, TEXEL).r; }',
        };
        const x = { data: Float32Array.from({ length: 60 }, (_, i) => i - 30), shape: [6, 10] };
        const found = await engine.run({ runFile, files, inputs: { x } });
        equal(Object.keys(found).sort(), ['along.y', 'back.y']);
        same(
            found['back.y'].data,
            x.data.map((v) => 1.5 * v),
        );
    },

    'a run file with a primitive and an input from a file': async (engine) => {
        const runFile = 'input.x = "x.npy"\n[pass.sums]\nprimitive = "scan"\n';
        const x = { data: Float32Array.from({ length: 35 }, (_, i) => (i * 7) % 11), shape: [5, 7] };
        const files = { 'x.npy': await engine.writeFile('x.npy', x) };
        const found = await engine.run({ runFile, files });
        let sum = 0;
        same(
            found['sums.y'].data,
            x.data.map((v) => (sum += v)),
        );
    },

    'declarations of a shader, and of a run file without its files': async (engine) => {
        const shader =
            'uniform sampler2D old;\nuniform isampler2D who;\nuniform float rate;\nuniform ivec2 size;\nout vec3 next;\n' +
            'void main() { next = rate * READ(old, TEXEL).rgb + vec3(READ(who, TEXEL).r + size.x); }';
        const one = await engine.declares({ shader });
        equal(one.inputs, [
            { name: 'old', type: 'sampler2D' },
            { name: 'who', type: 'isampler2D' },
        ]);
        equal(
            one.uniforms.filter(({ name }) => name === 'rate').map(({ name, type }) => [name, type]),
            [['rate', 'float']],
        );
        equal([one.outputs, one.missing, one.steps], [[{ name: 'next' }], [], 1]);
        const two = await engine.declares({ runFile: 'iterate = 12\ninput.image = "plate.png"\n[pass.a]\nshader = "blur.frag"\n' });
        equal([two.missing.sort(), two.steps], [['blur.frag', 'plate.png'], 12]);
    },

    'a large array comes back whole': async (engine) => {
        const a = { data: numbers(2048 * 1024, 9), shape: [1024, 2048] };
        const { v } = await engine.run({ shader: COPY, inputs: { a } });
        same(v.data, a.data);
    },
};
