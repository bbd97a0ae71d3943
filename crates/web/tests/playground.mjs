// The playground: each of its actions, and what it shows.
import assert from 'node:assert/strict';
import { writeNpy } from './npy.mjs';
import { gives, open, output, ran, state } from './opened.mjs';
import { programs } from './programs.mjs';
import { test } from './report.mjs';
import { sharing } from './sharing.mjs';
import { troubles } from './troubles.mjs';

const GROW = 'uniform sampler2D old;\nuniform float by;\nout float next;\nvoid main() { next = READ(old, TEXEL).r + by; }\n';
const COPY = 'uniform sampler2D a;\nout float v;\nvoid main() { v = READ(a, TEXEL).r; }\n';
const UNIFORMS = `uniform float f;
uniform int n;
uniform bool b;
uniform vec2 w;
out vec4 v;
void main() { v = vec4(f, float(n), b ? 1.0 : 0.0, w.y); }
`;
const OUTPUTS = `layout(location = 0) out vec2 two;
layout(location = 1) out float one;
void main() { two = vec2(TEXEL.x, 10 * TEXEL.y); one = float(TEXEL.x * TEXEL.y); }
`;

const growing = (rest = {}) => state(GROW, { inputs: { old: 'zeros:24x16' }, uniforms: { by: 1 }, feedback: { next: 'old' }, ...rest });
const count = (guest) => guest.page.$eval('#iteration', (element) => parseInt(element.textContent));

/** The number of steps, once the frame that was under way has ended. */
async function resting(guest) {
    for (let before = -1; ;) {
        const now = await count(guest);
        if (now === before) return now;
        before = now;
        await new Promise((resolve) => setTimeout(resolve, 300));
    }
}

/** Waits until the saved numbers are others. */
async function changes(guest, before) {
    for (let tries = 0; tries < 20; tries++) {
        if ((await output(guest)).data.some((x, i) => x !== before[i])) return;
    }
    assert.fail('the numbers stay the same');
}

const CASES = {
    'runs, pauses, steps, begins again': (visitor) =>
        open(visitor, growing(), async (guest) => {
            await guest.click('#pause');
            await guest.until('the pause', () => document.querySelector('#pause').disabled);
            const paused = await resting(guest);
            await guest.click('#step');
            await ran(guest, paused + 1);
            await gives(guest, new Array(24 * 16).fill(paused + 1), 'next');
            await guest.click('#run');
            await guest.until('more steps', (paused) => parseInt(document.querySelector('#iteration').textContent) > paused + 1, paused);
            await guest.click('#pause');
            const before = await resting(guest);
            await guest.click('#restart');
            await guest.until('another beginning', (before) => parseInt(document.querySelector('#iteration').textContent) < before, before);
        }),

    'ends after a number of steps, with several steps a frame': (visitor) =>
        open(visitor, growing({ iterate: 3 }), async (guest) => {
            await ran(guest, 3);
            await gives(guest, new Array(24 * 16).fill(3), 'next');
            await guest.enter('#pace', '10');
            await guest.enter('#iterate', '45');
            await guest.click('#restart');
            await ran(guest, 45);
            assert.match(await guest.text('#iteration'), /45 steps, done/);
            await gives(guest, new Array(24 * 16).fill(45), 'next');
        }),

    'an input by each rule, and a size that is too large': (visitor) =>
        open(visitor, state(COPY, { inputs: { a: 'zeros:5x3' } }), async (guest, page) => {
            await gives(guest, new Array(15).fill(0));
            await page.select('[aria-label="What a holds"]', 'ramp');
            await gives(
                guest,
                Array.from({ length: 15 }, (_, i) => (i % 5) / 4),
            );
            await guest.enter('[aria-label="Width of a"]', '3');
            await gives(
                guest,
                Array.from({ length: 9 }, (_, i) => (i % 3) / 2),
            );
            await page.select('[aria-label="What a holds"]', 'random');
            await guest.until('random numbers', () => document.querySelector('[aria-label="What a holds"]').value === 'random');
            await guest.enter('[aria-label="Width of a"]', '10000000');
            await guest.until('a message', () =>
                /expected a side from 1 to \d+/.test(document.querySelector('#inputs .message:not([hidden])')?.innerText),
            );
            assert.equal(await guest.value('[aria-label="Width of a"]'), '10000000', 'what was typed stays');
        }),

    'files: .npy by the field, .csv by a drop, .png': (visitor) =>
        open(visitor, state(COPY, { inputs: { a: 'zeros:5x3' } }), async (guest, page) => {
            const values = Array.from({ length: 6 }, (_, i) => i * 1.5 - 2);
            await page.select('[aria-label="What a holds"]', 'file');
            await guest.choose('[aria-label="File for a"]', 'x.npy', writeNpy([2, 3], values));
            await gives(guest, values);
            await guest.drop('#inputs .input-row', 'table.csv', Buffer.from('1,2\n3,4.5\n'));
            await gives(guest, [1, 2, 3, 4.5]);
            const png = await page.evaluate(async () => {
                const canvas = new OffscreenCanvas(3, 1);
                canvas
                    .getContext('2d')
                    .putImageData(new ImageData(new Uint8ClampedArray([0, 0, 0, 255, 51, 0, 0, 255, 255, 0, 0, 255]), 3, 1), 0, 0);
                return Array.from(new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer()));
            });
            await guest.drop('body', 'picture.png', Buffer.from(png));
            await gives(guest, [0, Math.fround(0.2), 1]);
        }),

    'files of other kinds are refused beside the input': (visitor) =>
        open(visitor, state(COPY, { inputs: { a: 'zeros:5x3' } }), async (guest, page) => {
            await guest.drop('#inputs .input-row', 'paper.pdf', Buffer.from('%PDF'));
            await guest.until('a message', () =>
                /\.npy, \.png, \.jpg or \.csv[^]*paper\.pdf/.test(document.querySelector('#inputs .message:not([hidden])')?.innerText),
            );
            await guest.drop('#inputs .input-row', 'broken.npy', Buffer.from('not an array'));
            await guest.until('a message', () => /broken\.npy/.test(document.querySelector('#inputs .message:not([hidden])')?.innerText));
            await guest.drop('#inputs .input-row', 'deep.npy', writeNpy([2, 2, 2, 2, 2], new Array(32).fill(1)));
            await guest.until('a message', () =>
                /deep\.npy|shape|axes/.test(
                    document.querySelector('#inputs .message:not([hidden]), #run-messages .message:not([hidden])')?.innerText,
                ),
            );
            await page.select('[aria-label="What a holds"]', 'ramp');
            await gives(
                guest,
                Array.from({ length: 15 }, (_, i) => (i % 5) / 4),
            );
        }),

    'uniforms: sliders, exact entry, switches, vectors': (visitor) =>
        open(visitor, state(UNIFORMS, { size: [1, 1], uniforms: { f: 0.5, n: 2, b: false, w: [1, 2] } }), async (guest, page) => {
            await gives(guest, [0.5, 2, 0, 2]);
            await guest.enter('[aria-label="f, exact value"]', '0.1');
            await gives(guest, [Math.fround(0.1), 2, 0, 2]);
            await guest.enter('[aria-label="w.y, exact value"]', '-7.25');
            await gives(guest, [Math.fround(0.1), 2, 0, -7.25]);
            await page.$eval('#uniforms input[type=checkbox]', (box) => box.click());
            await gives(guest, [Math.fround(0.1), 2, 1, -7.25]);
            const sliders = await page.$$('#uniforms input[type=range]');
            await sliders[1].focus();
            await guest.press('ArrowRight', 'ArrowRight');
            await gives(guest, [Math.fround(0.1), 4, 1, -7.25]);
            await guest.enter('[aria-label="n, exact value"]', 'two');
            await guest.until('a message', () => /n: expected an integer, got "two"/.test(document.querySelector('#uniforms').innerText));
            assert.equal(await guest.value('[aria-label="n, exact value"]'), 'two', 'what was typed stays');
            await gives(guest, [Math.fround(0.1), 4, 1, -7.25]);
        }),

    'settings: size, feedback, seed, dialect': (visitor) =>
        open(visitor, state(COPY, { inputs: { a: 'random:4x4' } }), async (guest, page) => {
            const first = (await output(guest)).data;
            const label = (text) => `::-p-xpath(//label[contains(., "${text}")]//input | //label[contains(., "${text}")]//select)`;
            await page.$eval('details.settings', (details) => (details.open = true));
            const seed = await page.$(label('Seed of random numbers'));
            await seed.focus();
            await page.keyboard.type('12345');
            await guest.press('Tab');
            await guest.until('another seed', () => /--seed 12345/.test(document.querySelector('#command').textContent));
            await changes(guest, first);
            const feedback = await page.$('#settings fieldset select');
            await feedback.select('a');
            await guest.until('feedback', () => /--feedback v=a/.test(document.querySelector('#command').textContent));
            await guest.enter('[aria-label="Width of the outputs"]', '2');
            await guest.enter('[aria-label="Height of the outputs"]', '0');
            await guest.until('a message', () => /size: expected two sides/.test(document.querySelector('#settings').innerText));
        }),

    'the view: outputs, channels, range, histogram, the value under the cursor': (visitor) =>
        open(visitor, state(OUTPUTS, { size: [9, 7], view: { output: 'two' } }), async (guest, page) => {
            await output(guest, 'two');
            await page.focus('#view canvas');
            await guest.press('ArrowRight', 'ArrowDown');
            const [, row, column, first, second] = (await guest.text('#view output'))
                .match(/row (\d+), column (\d+): ([-\d.]+), ([-\d.]+)/)
                .map(Number);
            assert.deepEqual([row, column, first, second], [4, 5, 5, 40]);
            await page.select('#channel', '1');
            assert.match(await guest.text('#view .bar'), /^0\s+60$/);
            await page.select('#output', 'one');
            await guest.until('the other output', () => /: 20$/.test(document.querySelector('#view output').textContent));
            assert.match(await guest.text('#view .bar'), /^0\s+48$/);
            await guest.click('#hold');
            await guest.enter('#range-low', '-10');
            await guest.enter('#range-high', '100.5');
            assert.match(await guest.text('#view .bar'), /^-10\s+100\.5$/);
            await guest.enter('#range-high', 'far');
            assert.equal(await page.$eval('#range-high', (one) => one.getAttribute('aria-invalid')), 'true');
            assert.match(await guest.text('#view .bar'), /^-10\s+100\.5$/);
            await guest.click('#histogram');
            assert.equal(await guest.seen('#view canvas.histogram'), 1);
            assert.match(await page.$eval('#view canvas.histogram', (one) => one.ariaLabel), /^Histogram from -10 to 100\.5/);
        }),

    'NaN and infinities are counted, in colours of their own': (visitor) =>
        open(
            visitor,
            state('uniform sampler2D a;\nout float v;\nvoid main() { v = READ(a, TEXEL).r; }\n', { inputs: { a: 'zeros:4x1' } }),
            async (guest, page) => {
                await guest.drop('#inputs .input-row', 'odd.npy', writeNpy([1, 8], [1, NaN, 2, Infinity, -Infinity, NaN, NaN, 3]));
                await guest.until('counts', () => /NaN: 3/.test(document.querySelector('#view .odd').innerText));
                assert.match(await guest.text('#view .odd'), /infinity: 1/i);
                assert.match(await guest.text('#view .bar'), /^1\s+3$/);
                const colours = await page.$eval('#view canvas', (canvas) => {
                    const { data } = canvas.getContext('2d').getImageData(0, 0, 8, 1);
                    return Array.from({ length: 8 }, (_, i) => data.slice(4 * i, 4 * i + 3).join());
                });
                assert.equal(new Set([colours[0], colours[1], colours[2], colours[3], colours[4], colours[7]]).size, 6, colours.join(' '));
                assert.equal(colours[1], colours[5]);
                await guest.screenshot('odd-numbers');
            },
        ),

    'the mouse is iMouse': (visitor) =>
        open(
            visitor,
            state('void mainImage(out vec4 c, in vec2 p) { c = vec4(iMouse.xy, p); }\n', { size: [32, 32] }),
            async (guest, page) => {
                const box = await (await page.$('#view canvas')).boundingBox();
                await page.mouse.move(box.x + box.width / 4, box.y + box.height / 4);
                await page.mouse.down();
                await page.mouse.move(box.x + box.width / 2, box.y + box.height / 4);
                await page.mouse.up();
                await guest.until('the mouse', () => {
                    const [, x, y] = document.querySelector('#view output').textContent.match(/: ([-\d.]+), ([-\d.]+)/) ?? [];
                    return Math.abs(x - 16) < 1.5 && Math.abs(y - 24) < 1.5;
                });
            },
        ),

    'keyboard alone: to the editor and out of it, run, step, save': (visitor) =>
        open(visitor, growing({ iterate: 2 }), async (guest, page) => {
            await ran(guest, 2);
            const reached = [];
            for (let i = 0; i < 70; i++) {
                await guest.press('Tab');
                // The editor draws its ring a moment later.
                await new Promise((resolve) => setTimeout(resolve, 30));
                const here = await page.evaluate(() => {
                    const one = document.activeElement;
                    const ring =
                        getComputedStyle(one).outlineStyle !== 'none' ||
                        getComputedStyle(one).boxShadow !== 'none' ||
                        one.closest('.cm-focused') !== null;
                    return {
                        id: one.id || one.getAttribute('aria-label') || one.className || one.tagName,
                        editor: one.matches('.cm-content'),
                        ring,
                    };
                });
                if (!here.ring) assert.fail(`no ring around ${here.id}`);
                reached.push(here.id);
                if (here.editor) {
                    await guest.press('Control+End');
                    await page.keyboard.type('// typed');
                    await guest.press('Escape');
                }
                if (here.id === 'copy-frame') break;
            }
            for (const id of [
                'run',
                'step',
                'restart',
                'pace',
                'output',
                'channel',
                'hold',
                'histogram',
                'save-npy',
                'save-png',
                'command',
                'copy-command',
                'copy-link',
                'copy-frame',
            ]) {
                assert.ok(reached.includes(id), `Tab reaches ${id}; it reached ${reached.join(', ')}`);
            }
            assert.match(await guest.text('.cm-content'), /\/\/ typed/);
            await page.focus('#step');
            await guest.press('Enter');
            await ran(guest, 1);
            await guest.press('Enter', 'Enter', 'Enter');
            await ran(guest, 4);
            await page.focus('.cm-content');
            await guest.press('Control+Enter');
            await ran(guest, 2);
            assert.match(await guest.text('#live'), /steps|step/i);
        }),

    'a phone, light and dark': (visitor) =>
        open(visitor, growing({ iterate: 5 }), async (guest, page) => {
            await ran(guest, 5);
            const colours = '::-p-xpath(//label[contains(., "Colours")]/select)';
            for (const mode of ['light', 'dark']) {
                await page.select(colours, mode);
                await page.setViewport({ width: 1200, height: 900 });
                await guest.accessible(`the playground, ${mode}`);
                await guest.screenshot(`playground-${mode}`);
                await page.setViewport({ width: 360, height: 740 });
                await guest.fits(`a phone, ${mode}`);
                await guest.accessible(`the playground on a phone, ${mode}`);
                await guest.screenshot(`phone-${mode}`);
            }
        }),
};

const FEW = [
    'runs, pauses, steps, begins again',
    'files: .npy by the field, .csv by a drop, .png',
    'uniforms: sliders, exact entry, switches, vectors',
];

export async function playground(label, visitor, { whole }) {
    await test(`${label}: playground: the first picture`, () =>
        visitor.visit('/index.html', async (guest, page) => {
            await guest.until(
                'a picture',
                () => document.querySelector('#view canvas')?.width > 1 && parseInt(document.querySelector('#iteration').textContent) > 0,
            );
            const time = await page.evaluate(() => performance.now());
            // One second is what is promised for two idle cores.
            assert.ok(time < 3000, `the first picture came after ${time.toFixed(0)} ms`);
            await guest.screenshot(`first-${label.replace(/\W+/g, '-')}`);
            return `after ${time.toFixed(0)} ms`;
        }));
    for (const [name, body] of Object.entries(CASES)) {
        if (whole || FEW.includes(name)) await test(`${label}: playground: ${name}`, () => body(visitor));
    }
    await programs(label, visitor, { whole });
    await troubles(label, visitor, { whole });
    await sharing(label, visitor, { whole });
}
