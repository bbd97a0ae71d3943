// The same experiments by the engine in a browser and by the native command: their files are compared.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { readNpy, ulps, writeNpy } from './npy.mjs';
import { skipped, test } from './report.mjs';

/** The native command, or null where there is none. */
export const COMMAND = [path.resolve(process.env.QUADRILLE ?? 'target/debug/quadrille')].find((file) => fs.existsSync(file)) ?? null;

/** Runs the native command with words, in a folder. */
export const quadrille = (words, folder = '.') => promisify(execFile)(COMMAND, words, { cwd: folder, timeout: 60_000 });

/** A shader of one line, whose file is written beside the results. */
const line = (body) => `uniform sampler2D a;\nuniform sampler2D b;\nout vec4 v;\nvoid main() { v = ${body}; }\n`;
const PAIR = { a: 'random:61x47x4', b: 'random:61x47x4' };

/**
 * What is run, in browsers on the same rasterizer as the command and on another one: a file of the repository or a text, the settings of
 * the engine, and the outputs that are compared. `ulp` is how many floats may lie between two numbers, `absolute` how far they may be
 * apart; numbers that are made by additions and products alone, each rounded by itself, have the same bits.
 */
const EXPERIMENTS = {
    products: { text: line('READ(a, TEXEL) * READ(b, TEXEL)'), inputs: PAIR, outputs: ['v'], ulp: 0 },
    sums: { text: line('READ(a, TEXEL) + READ(b, TEXEL)'), inputs: PAIR, outputs: ['v'], ulp: 0 },
    quotients: { text: line('READ(a, TEXEL) / (READ(b, TEXEL) + 0.5)'), inputs: PAIR, outputs: ['v'], ulp: 3 },
    'square roots': { text: line('sqrt(READ(a, TEXEL) * READ(b, TEXEL))'), inputs: PAIR, outputs: ['v'], ulp: 3 },
    'sines and powers': { text: line('sin(READ(a, TEXEL)) * exp2(READ(b, TEXEL))'), inputs: PAIR, outputs: ['v'], absolute: 2e-4 },
    life: { file: 'life.frag', inputs: { cells: 'random:61x47' }, feedback: { next: 'cells' }, iterate: 60, outputs: ['next'], ulp: 0 },
    sandpile: {
        file: 'sandpile.frag',
        inputs: { pile: 'zeros:33x29' },
        uniforms: { grains: 900 },
        feedback: { next: 'pile' },
        iterate: 400,
        outputs: ['next'],
        ulp: 0,
    },
    heat: {
        file: 'heat.frag',
        inputs: { old: 'zeros:60x40' },
        uniforms: { rate: 0.24 },
        feedback: { next: 'old' },
        iterate: 200,
        outputs: ['next'],
        absolute: 1e-6,
    },
    wave: {
        file: 'wave.frag',
        inputs: { state: 'random:23x17x2' },
        uniforms: { speed: 0.6 },
        feedback: { next: 'state' },
        iterate: 12,
        outputs: ['height'],
        absolute: 1e-5,
    },
    'reaction and diffusion': {
        file: 'reaction_diffusion.frag',
        inputs: { state: 'random:21x19x2' },
        uniforms: { feed: 0.029, removal: 0.057 },
        feedback: { next: 'state' },
        iterate: 25,
        outputs: ['next', 'colour'],
        absolute: 1e-4,
    },
    'plasma, of Shadertoy': { file: 'plasma.frag', size: [61, 37], iterate: 20, rate: 30, outputs: ['colour'], absolute: 3e-3 },
    'a filter of WebGL 1': {
        file: 'vignette.frag',
        inputs: { uSampler: 'random:41x29x4' },
        uniforms: { uStrength: 0.9 },
        outputs: ['colour'],
        absolute: 1e-5,
    },
    'blur, of a picture': {
        file: 'blur.run.toml',
        given: ['blur/along.frag', '../../../docs/plate.png'],
        outputs: ['columns.blurred'],
        absolute: 1e-5,
    },
    fluid: {
        file: 'fluid.run.toml',
        given: [
            ...['begin', 'advect', 'divergence', 'solve', 'project', 'carry', 'picture'].map((name) => `fluid/${name}.frag`),
            'fluid/bilinear.glsl',
        ],
        size: [32, 20],
        iterate: 5,
        outputs: ['project.next', 'carry.next'],
        absolute: 1e-4,
    },
    'equalise, with primitives': {
        file: 'equalise.run.toml',
        given: ['equalise/brightness.frag', 'equalise/equalise.frag'],
        inputs: { image: 'random:31x17x3' },
        outputs: ['sums.y', 'picture.equalised'],
        ulp: 4,
    },
    sort: {
        file: 'sort.run.toml',
        given: ['sort/begin.frag', 'sort/compare.frag', '../../../docs/plate.png'],
        outputs: ['sort.next'],
        ulp: 4,
    },
};

/** The words of the command line. */
function words(file, { inputs = {}, uniforms = {}, feedback = {}, size, iterate, rate, outputs }, folder) {
    const each = (flag, table) => Object.entries(table).flatMap(([name, value]) => [flag, `${name}=${value}`]);
    return [
        'run',
        file,
        ...each('--input', inputs),
        ...each('--uniform', uniforms),
        ...each('--feedback', feedback),
        ...(size ? ['--size', size.join('x')] : []),
        ...(iterate ? ['--iterate', iterate] : []),
        ...(rate ? ['--rate', rate] : []),
        ...each('--output', Object.fromEntries(outputs.map((name) => [name, path.join(folder, `${name}.npy`)]))),
    ].map(String);
}

/** The settings of the engine; the bytes of files cross to the page in base64. */
function settings(file, { given = [], outputs, ulp, absolute, text, file: _, ...rest }) {
    const read = (name) => fs.readFileSync(path.join(path.dirname(file), name));
    const files = Object.fromEntries(
        given.map((name) => [name, /\.(frag|glsl)$/.test(name) ? read(name).toString() : { base64: read(name).toString('base64') }]),
    );
    const program = fs.readFileSync(file, 'utf8');
    return { ...rest, files, name: path.basename(file), ...(file.endsWith('.toml') ? { runFile: program } : { shader: program }) };
}

/** Runs in the page: the outputs as the bytes of `.npy` files, in base64. */
async function inPage(settings, outputs) {
    const { start } = await import('/package/index.js');
    window.engine ??= await start();
    const bytes = (base64) => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    for (const [name, { base64 }] of Object.entries(settings.files)) if (base64) settings.files[name] = bytes(base64);
    const found = await window.engine.run(settings);
    return Promise.all(
        outputs.map(async (name) => {
            const file = await window.engine.writeFile(`${name}.npy`, found[name]);
            return btoa(Array.from(file, (byte) => String.fromCharCode(byte)).join(''));
        }),
    );
}

function compare(name, there, here, { ulp, absolute }) {
    assert.deepEqual(there.shape, here.shape, `the shape of ${name}`);
    const apart = there.data.reduce(
        (most, x, i) => Math.max(most, ulp === undefined ? Math.abs(x - here.data[i]) : ulps(x, here.data[i])),
        0,
    );
    assert.ok(
        apart <= (ulp ?? absolute),
        `${name}: numbers are up to ${apart} ${ulp === undefined ? '' : 'ULP '}apart, expected at most ${ulp ?? absolute}`,
    );
    return ulp === undefined ? `${name}: ${apart.toExponential(1)} apart` : `${name}: ${apart} ULP`;
}

/** A right-hand side, and its file. */
const B = Array.from({ length: 31 * 17 }, (_, i) => Math.sin(i));

function rightHandSide(folder) {
    const file = path.join(folder, 'b.npy');
    fs.writeFileSync(file, writeNpy([B.length], B, Float64Array));
    return file;
}

async function solved(b) {
    const { start } = await import('/package/index.js');
    window.engine ??= await start();
    const { x } = await window.engine.solve('fe9:31x17', new Float64Array(b), { tolerance: 1e-12 });
    return Array.from(x);
}

/** Compares all experiments in a page of the browser with the command's. */
export async function native(label, browser, url) {
    if (COMMAND === null) {
        skipped(`${label}: native`, 'there is no native command: cargo build -p quadrille-cli makes one, and QUADRILLE names another');
        return;
    }
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'quadrille-'));
    const page = await browser.newPage();
    await page.goto(`${url}/tests/engine/index.html`);
    for (const [name, experiment] of Object.entries(EXPERIMENTS)) {
        await test(`${label}: native: ${name}`, async () => {
            const file = experiment.file ? path.join('crates/run/gallery', experiment.file) : path.join(folder, 'line.frag');
            if (experiment.text) fs.writeFileSync(file, experiment.text);
            await quadrille(words(file, experiment, folder));
            const found = await page.evaluate(inPage, settings(file, experiment), experiment.outputs);
            return experiment.outputs
                .map((output, i) => {
                    const bytes = fs.readFileSync(path.join(folder, `${output}.npy`));
                    const own = Buffer.from(found[i], 'base64');
                    const [there, here] = [readNpy(bytes), readNpy(own)];
                    assert.deepEqual(own.subarray(0, here.start), bytes.subarray(0, there.start), 'the headers of the files');
                    return compare(output, there, here, experiment);
                })
                .join(', ');
        });
    }
    await test(`${label}: native: the solution of a system`, async () => {
        await quadrille([
            'solve',
            '--stencil',
            'fe9:31x17',
            '--rhs',
            rightHandSide(folder),
            '--tolerance',
            '1e-12',
            '--output',
            path.join(folder, 'x.npy'),
        ]);
        const here = readNpy(fs.readFileSync(path.join(folder, 'x.npy'))).data;
        const there = await page.evaluate(solved, B);
        const most = Math.max(...here.map(Math.abs));
        const apart = Math.max(...here.map((x, i) => Math.abs(x - there[i]))) / most;
        assert.ok(
            here.length === 527 && there.length === 527 && apart < 1e-10,
            `solutions are ${apart} apart, relative to the largest number`,
        );
        return `${apart.toExponential(1)} apart`;
    });
    await page.close();
    fs.rmSync(folder, { recursive: true, force: true });
}
