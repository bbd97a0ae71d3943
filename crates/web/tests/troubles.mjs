// What goes wrong in the playground: errors of texts, shaders that do not end, devices that are lost, browsers that cannot compute.
// Nothing that was typed may be lost.
import assert from 'node:assert/strict';
import { gives, open, output, ran, state } from './opened.mjs';
import { test } from './report.mjs';
import { fragment } from './visitor.mjs';

const RIGHT = 'uniform sampler2D a;\nout float v;\nvoid main() {\n    v = 2.0 * (READ(a, TEXEL).r + 0.25 * float(TEXEL.x));\n}\n';
const WRONG = RIGHT.replace('2.0 *', '2.0 * nothing *');
const begun = state(RIGHT, { inputs: { a: 'zeros:5x1' } });
const TWICE = [0, 0.5, 1, 1.5, 2];

/** Makes the first engine of a page another worker of the tests; the next ones are the page's own. */
function replaceWorker(address, name) {
    const Own = window.Worker;
    window.Worker = class extends Own {
        constructor(url, options) {
            const first = !window.replaced;
            window.replaced = true;
            super(first ? address : url, first ? { ...options, name } : options);
        }
    };
}

/** Makes checks of a text take longer than the page waits between a change and its own check. */
function slowChecks() {
    const Own = window.Worker;
    window.Worker = class extends Own {
        postMessage(message, ...rest) {
            setTimeout(() => super.postMessage(message, ...rest), message.call === 'declares' ? 600 : 0);
        }
    };
}

const CASES = {
    'an error of the compiler: underlined, listed, and the list leads to its line': (visitor) =>
        open(visitor, begun, async (guest, page) => {
            await gives(guest, TWICE);
            await guest.paste(WRONG);
            await guest.until('the error', () => /nothing/.test(document.querySelector('#diagnostics').innerText));
            assert.match(await guest.text('#diagnostics'), /shader\.frag:4/);
            await guest.until(
                'the underline',
                () => document.querySelector('.cm-content .cm-lintRange-error, .cm-content [class*=error]') !== null,
            );
            await guest.screenshot('error');
            await guest.click('#diagnostics button');
            const [line, focused] = await page.evaluate(() => {
                const { anchorNode } = document.getSelection();
                return [
                    (anchorNode.nodeType === 3 ? anchorNode.parentElement : anchorNode).closest('.cm-line')?.innerText,
                    document.activeElement.matches('.cm-content'),
                ];
            });
            assert.ok(focused && /nothing/.test(line), `the cursor is in the line: ${line}`);
            await guest.paste(RIGHT.replace('2.0', '4.0'));
            await guest.until('no error', () => document.querySelector('#diagnostics').innerText.trim() === '');
            await guest.press('Control+Enter');
            await gives(
                guest,
                TWICE.map((x) => 2 * x),
            );
        }),

    'a run that does not end is stopped, and what was typed stays': (visitor) =>
        open(visitor, { ...begun, feedback: { v: 'a' } }, async (guest) => {
            await guest.click('#pause');
            await guest.paste(`// mine\n${RIGHT}`);
            // A frame then takes years.
            await guest.enter('#pace', '1000000000000');
            await guest.press('Control+Enter');
            await guest.click('#run');
            await guest.until('the offer to stop', () => document.querySelector('#run-messages button')?.innerText === 'Stop');
            await guest.screenshot('slow');
            await guest.click('#run-messages button');
            await guest.until('the note', () => /was stopped/.test(document.querySelector('#run-messages').innerText));
            assert.match(await guest.text('.cm-content'), /\/\/ mine/);
            await guest.enter('#pace', '1');
            await guest.enter('#iterate', '1');
            await guest.click('#run');
            await gives(guest, TWICE);
        }),

    'a run is not lost when the page checks the text meanwhile': (visitor) =>
        visitor.visit('/tests/frame.html', async (guest, page) => {
            await page.evaluateOnNewDocument(slowChecks);
            await page.goto(`${visitor.url}/index.html${fragment(begun)}`);
            await gives(guest, TWICE);
            await guest.paste(RIGHT.replace('2.0', '4.0'));
            await guest.press('Control+Enter');
            await gives(
                guest,
                TWICE.map((x) => 2 * x),
            );
        }),

    'a lost device is said, and the page goes on': (visitor) =>
        visitor.visit('/tests/frame.html', async (guest, page) => {
            await page.evaluateOnNewDocument(replaceWorker, '/tests/engine/losing-worker.js', '900');
            await page.goto(`${visitor.url}/index.html${fragment({ ...begun, feedback: { v: 'a' } })}`);
            await guest.until('the message', () => /device was lost/.test(document.querySelector('#run-messages')?.innerText));
            await guest.screenshot('lost');
            await guest.page.$$eval('#run-messages button', (buttons) => buttons.find((one) => one.innerText === 'Start again').click());
            await ran(guest);
            assert.match(await guest.text('.cm-content'), /2\.0 \* \(READ/);
            assert.equal(await guest.seen('#run-messages .bad'), 0);
        }),

    'a browser without WebGL 2 is told what it lacks': (visitor) =>
        visitor.visit('/tests/frame.html', async (guest, page) => {
            await page.evaluateOnNewDocument(replaceWorker, '/tests/engine/missing-worker.js', '');
            await page.goto(`${visitor.url}/index.html${fragment(begun)}`);
            await guest.until('the message', () => document.querySelector('.lacking')?.innerText.includes('WebGL 2'));
            assert.match(await guest.text('.cm-content'), /2\.0 \* \(READ/);
            await guest.screenshot('unsupported');
        }),

    'a reload loses nothing': (visitor) =>
        open(visitor, begun, async (guest, page) => {
            await gives(guest, TWICE);
            await guest.paste(RIGHT.replace('2.0 * (READ(a, TEXEL).r + 0.25 * float(TEXEL.x))', '8.0 * READ(a, TEXEL).r'));
            await page.select('[aria-label="What a holds"]', 'file');
            await guest.drop('#inputs .input-row', 'mine.csv', Buffer.from('1,2,3\n'));
            await gives(guest, [8, 16, 24]);
            await new Promise((resolve) => setTimeout(resolve, 500));
            await page.reload();
            await ran(guest);
            assert.match(await guest.text('.cm-content'), /8\.0/);
            assert.deepEqual(Array.from((await output(guest)).data), [8, 16, 24]);
        }),
};

export async function troubles(label, visitor, { whole }) {
    for (const [name, body] of Object.entries(CASES)) {
        if (whole || /compiler|reload/.test(name)) await test(`${label}: troubles: ${name}`, () => body(visitor));
    }
}
