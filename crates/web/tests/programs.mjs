// Programs in the playground: texts of other sites, run files with their files, and the gallery.
import assert from 'node:assert/strict';
import { gives, open, output, ran, state } from './opened.mjs';
import { test, wanted } from './report.mjs';

const SHADERTOY = 'void mainImage(out vec4 c, in vec2 p) { c = vec4(p / iResolution.xy, 0.5 + 0.5 * sin(iTime), 1.0); }\n';
const SANDBOX =
    'uniform float time;\nuniform vec2 resolution;\nvoid main() { gl_FragColor = vec4(gl_FragCoord.xy / resolution, 0.0, 1.0); }\n';
const ISF = `/*{ "INPUTS": [{ "NAME": "level", "TYPE": "float", "DEFAULT": 0.25 }] }*/
void main() { gl_FragColor = vec4(level, isf_FragNormCoord, 1.0); }
`;
const TWO = '[pass.first]\nshader = "twice.frag"\n[pass.second]\nshader = "twice.frag"\nread.x = "first.y"\n';
const TWICE = 'uniform sampler2D x;\nout float y;\nvoid main() { y = 2.0 * READ(x, TEXEL).r; }\n';

const CASES = {
    'pasted shaders of other sites run, and the page says what they are': (visitor) =>
        open(visitor, state(SHADERTOY, { size: [6, 4], iterate: 1 }), async (guest) => {
            assert.match(await guest.text('#dialect'), /Shadertoy/);
            await guest.paste(SANDBOX);
            await guest.until('the dialect', () => /Sandbox/.test(document.querySelector('#dialect').textContent));
            await guest.press('Control+Enter');
            const sandbox = await output(guest, 'colour');
            assert.deepEqual([sandbox.shape, Math.abs(sandbox.data[1] - 3.5 / 4) < 1e-6], [[4, 6, 4], true]);
            await guest.paste(ISF);
            await guest.until('the dialect', () => /ISF/.test(document.querySelector('#dialect').textContent));
            await guest.press('Control+Enter');
            await guest.until('numbers of the ISF shader', () => parseInt(document.querySelector('#iteration').textContent) > 0);
            assert.equal((await output(guest, 'colour')).data[0], 0.25);
        }),

    'a run file asks for its files, and runs when they are given': (visitor) =>
        visitor.visit('/index.html', async (guest, page) => {
            await ran(guest);
            await guest.drop('body', 'two.run.toml', Buffer.from(TWO));
            await guest.until('the missing file', () => /twice\.frag/.test(document.querySelector('#missing').innerText));
            await guest.drop('body', 'twice.frag', Buffer.from(TWICE));
            await guest.until('both tabs', () =>
                /two\.run\.toml[^]*twice\.frag|twice\.frag[^]*two\.run\.toml/.test(document.querySelector('#tabs').innerText),
            );
            await guest.until('the input', () => document.querySelector('[aria-label="What x holds"]'));
            await page.select('[aria-label="What x holds"]', 'ramp');
            await guest.enter('[aria-label="Width of x"]', '3');
            await guest.enter('[aria-label="Height of x"]', '1');
            await gives(guest, [0, 2, 4], 'second-y');
            await page.select('#output', 'first.y');
            await gives(guest, [0, 1, 2], 'first-y');
            await page.$$eval('#tabs button', (tabs) => tabs.find((tab) => tab.innerText.includes('twice')).click());
            assert.match(await guest.text('.cm-content'), /2\.0 \* READ/);
        }),

    'files are added, renamed, removed, brought back, saved': (visitor) =>
        open(visitor, state(TWICE, { inputs: { x: 'ramp:3x1' } }), async (guest) => {
            await guest.page.$$eval('details', (all) => all.forEach((one) => (one.open = true)));
            await guest.enter('#file-name', 'other.frag');
            await guest.click('#file-add');
            assert.match(await guest.text('#tabs'), /shader\.frag\s*other\.frag/);
            await guest.enter('#file-name', 'third.frag');
            await guest.click('#file-rename');
            assert.match(await guest.text('#tabs'), /shader\.frag\s*third\.frag/);
            await guest.click('#file-remove');
            assert.doesNotMatch(await guest.text('#tabs'), /third/);
            await guest.click('#file-message button');
            assert.match(await guest.text('#tabs'), /third\.frag/);
            await guest.page.$$eval('#tabs button', (tabs) => tabs.find((tab) => tab.innerText.includes('shader')).click());
            assert.equal((await guest.saved('#file-save', 'shader.frag')).toString(), TWICE);
        }),

    'an example replaces what was written, which comes back': (visitor) =>
        open(visitor, state(TWICE, { inputs: { x: 'ramp:3x1' } }), async (guest, page) => {
            await guest.paste(TWICE.replace('2.0', '6.0'));
            await page.select('#example', 'life');
            await guest.until('the example', () => /life\.frag/.test(document.querySelector('#command').textContent));
            await ran(guest);
            await guest.until('the way back', () => document.querySelector('#page-messages button'));
            await guest.click('#page-messages button');
            await guest.until('the program before', () => /shader\.frag/.test(document.querySelector('#command').textContent));
            await gives(guest, [0, 3, 6], 'y');
        }),

    'the gallery leads to each program': (visitor) =>
        visitor.visit('/gallery/index.html', async (guest, page) => {
            await guest.until('the programs', () => document.querySelectorAll('#programs a').length > 10);
            await guest.until('the pictures', () =>
                [...document.querySelectorAll('#programs img')].every((one) => {
                    one.loading = 'eager';
                    return one.complete && one.naturalWidth > 0;
                }),
            );
            await page.setViewport({ width: 360, height: 740 });
            await guest.fits('the gallery on a phone');
            await guest.accessible('the gallery');
            await guest.screenshot('gallery');
            await Promise.all([page.waitForNavigation(), page.$eval('#programs a', (link) => link.click())]);
            await ran(guest);
        }),
};

/** Each program of the gallery runs, and its result is neither empty nor one number. */
async function examples(label, visitor, names) {
    await test(`${label}: examples: the page has no complaint about the examples ${names.join(', ')}`, () =>
        visitor.visit('/index.html', async (guest, page) => {
            await ran(guest);
            for (const name of names) {
                await test(`${label}: examples: the example ${name}`, async () => {
                    await page.select('#example', name);
                    await guest.until(
                        'the program',
                        (name) => document.querySelector('#command').textContent.includes(`run ${name}.`),
                        name,
                    );
                    await ran(guest);
                    await guest.click('#pause');
                    assert.equal(await guest.seen('#diagnostics li, #run-messages .bad'), 0, await guest.text('#run-messages'));
                    await guest.until('a picture', () => {
                        const canvas = document.querySelector('#view canvas');
                        const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d');
                        copy.drawImage(canvas, 0, 0);
                        const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
                        return new Set(new Uint32Array(data.buffer)).size > 1;
                    });
                    assert.equal(await guest.text('#view .odd'), '', 'all are numbers');
                    return guest.text('#iteration');
                });
            }
        }));
}

const EXAMPLES = [
    'reaction_diffusion',
    'heat',
    'wave',
    'life',
    'sandpile',
    'mandelbrot',
    'sobel',
    'blur',
    'equalise',
    'fft',
    'sort',
    'fluid',
    'nbody',
    'voronoi',
    'plasma',
    'discs',
    'vignette',
];

export async function programs(label, visitor, { whole }) {
    for (const [name, body] of Object.entries(CASES)) if (whole) await test(`${label}: examples: ${name}`, () => body(visitor));
    const names = (whole ? EXAMPLES : ['fluid', 'plasma']).filter((name) => wanted(`${label}: examples: the example ${name}`));
    if (names.length) await examples(label, visitor, names);
}
