// What leads out of the playground: files, the native command, links, iframes.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { COMMAND, quadrille } from './native.mjs';
import { readNpy, writeNpy } from './npy.mjs';
import { gives, open, output, ran, state } from './opened.mjs';
import { test } from './report.mjs';
import { fragment, stateOf } from './visitor.mjs';

const SHADER = 'uniform sampler2D a;\nuniform float by;\nout float v;\nvoid main() { v = READ(a, TEXEL).r + by; }\n';
const SPREAD =
    'uniform sampler2D old;\nuniform float rate;\nout float next;\nvoid main() {\n    float here = READ(old, TEXEL).r;\n' +
    '    next = here + rate * (READ_WRAPPED(old, TEXEL + ivec2(1, 0)).r - here);\n}\n';
const begun = state(SHADER, {
    inputs: { a: 'ramp:5x2' },
    uniforms: { by: 0.25 },
    feedback: { v: 'a' },
    iterate: 4,
    view: { held: [0, 3] },
});
const RESULT = Array.from({ length: 10 }, (_, i) => (i % 5) / 4 + 1);

/** A link that an earlier form of the page made: it must open for ever. */
const OLD = fragment({ main: 'old.frag', files: { 'old.frag': SHADER }, inputs: { a: 'zeros:3x1' }, uniforms: { by: 7 }, iterate: 1 });

const CASES = {
    'the files that are saved have the right bytes': (visitor) =>
        open(visitor, begun, async (guest, page) => {
            await ran(guest, 4);
            await gives(guest, RESULT);
            assert.deepEqual(await guest.saved('#save-npy', 'v.npy'), writeNpy([2, 5], RESULT));
            const png = await guest.saved('#save-png', 'v.png');
            const expected = await page.evaluate(async (values) => {
                const { start } = await import('/package/index.js');
                const engine = await start();
                const bytes = await engine.writeFile('v.png', { data: new Float32Array(values), shape: [2, 5] });
                engine.stop();
                return Array.from(bytes);
            }, RESULT);
            assert.deepEqual(Array.from(png), expected);
        }),

    'the native command says what the page does': (visitor) =>
        open(visitor, begun, async (guest) => {
            await ran(guest, 4);
            const command = await guest.copied('#copy-command');
            assert.equal(command, await guest.text('#command'));
            assert.equal(
                command,
                'quadrille run shader.frag --input a=ramp:5x2 --uniform by=0.25 --feedback v=a --iterate 4 --output v=v.npy',
            );
        }),

    'the native command computes what the page saves': (visitor) =>
        open(
            visitor,
            state(SPREAD, {
                inputs: { old: 'random:61x47' },
                uniforms: { rate: 0.2 },
                feedback: { next: 'old' },
                iterate: 30,
                seed: 5,
            }),
            async (guest) => {
                if (COMMAND === null) return 'not run: there is no native command';
                await ran(guest, 30);
                const [name, ...words] = (await guest.copied('#copy-command')).split(' ');
                assert.equal(name, 'quadrille');
                const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'quadrille-'));
                fs.writeFileSync(path.join(folder, 'shader.frag'), SPREAD);
                await quadrille(words, folder);
                const native = readNpy(fs.readFileSync(path.join(folder, 'next.npy')));
                fs.rmSync(folder, { recursive: true });
                const page = await output(guest, 'next');
                assert.deepEqual(page.shape, native.shape);
                const apart = page.data.reduce((most, x, i) => Math.max(most, Math.abs(x - native.data[i])), 0);
                assert.ok(apart < 1e-6, `numbers are up to ${apart} apart`);
                return `${apart.toExponential(1)} apart`;
            },
        ),

    'a link opens elsewhere with the same program, inputs, uniforms and view': async (visitor) => {
        const link = await open(visitor, begun, async (guest) => {
            await ran(guest, 4);
            await guest.enter('[aria-label="by, exact value"]', '0.5');
            return guest.copied('#copy-link');
        });
        const held = stateOf(link);
        assert.deepEqual(
            [held.files, held.inputs, held.uniforms, held.feedback, held.iterate, held.view.held],
            [begun.files, begun.inputs, { by: 0.5 }, begun.feedback, 4, [0, 3]],
        );
        await visitor.visit(link.slice(visitor.url.length), async (guest) => {
            await ran(guest, 4);
            await gives(
                guest,
                RESULT.map((x) => x + 1),
            );
            assert.match(await guest.text('#view .bar'), /^0\s+3$/);
        });
        return `${link.length} characters`;
    },

    'a link with a file says which one is to be given again': async (visitor) => {
        const link = await open(visitor, begun, async (guest, page) => {
            await page.select('[aria-label="What a holds"]', 'file');
            await guest.drop('#inputs .input-row', 'mine.csv', Buffer.from('1,2,3\n'));
            await output(guest);
            return guest.copied('#copy-link');
        });
        await visitor.visit(link.slice(visitor.url.length), async (guest) => {
            await guest.until('the request for the file', () => /mine\.csv/.test(document.querySelector('#inputs')?.innerText));
            await guest.drop('#inputs .input-row', 'mine.csv', Buffer.from('1,2,3\n'));
            await ran(guest, 4);
            await gives(guest, [2, 3, 4]);
        });
    },

    'an old link opens; a link that was cut says so, and nothing is lost': (visitor) =>
        visitor.visit(`/index.html${OLD}`, async (guest, page) => {
            await gives(guest, [7, 7, 7]);
            await new Promise((resolve) => setTimeout(resolve, 500));
            await page.goto(`${visitor.url}/index.html?again${OLD.slice(0, -9)}`);
            await guest.until('the message', () => /cut or changed/.test(document.querySelector('#page-messages').innerText));
            assert.match(await guest.text('.cm-content'), /READ\(a, TEXEL\)/);
            await gives(guest, [7, 7, 7]);
            await guest.screenshot('cut-link');
        }),

    'an iframe runs the program with fewer controls': async (visitor) => {
        const html = await open(visitor, begun, async (guest) => guest.copied('#copy-frame'));
        assert.match(html, /^<iframe [^>]*title="/);
        await visitor.visit('/tests/frame.html', async (guest, page) => {
            await page.evaluate((html) => document.body.insertAdjacentHTML('beforeend', html), html);
            const frame = await page.waitForFrame((frame) => frame.url().includes('?embed'));
            await frame.waitForFunction(() => parseInt(document.querySelector('#iteration')?.textContent) === 4, { timeout: 15_000 });
            const seen = await frame.evaluate(() =>
                ['header.site', '#run', '#view canvas', '#copy-link', '#whole'].map(
                    (selector) => document.querySelector(selector)?.checkVisibility() ?? false,
                ),
            );
            assert.deepEqual(seen, [false, true, true, false, true]);
            await guest.screenshot('iframe');
        });
    },
};

export async function sharing(label, visitor, { whole }) {
    for (const [name, body] of Object.entries(CASES)) {
        if (whole || /a link opens|iframe/.test(name)) await test(`${label}: sharing: ${name}`, () => body(visitor));
    }
}
