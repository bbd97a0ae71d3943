// A visitor of the site: opens pages, watches over what goes wrong in them, and acts as a person does.
import assert from 'node:assert/strict';
import crypto from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { createRequire } from 'node:module';
import { deflateRawSync, inflateRawSync } from 'node:zlib';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const WAIT = 15_000;
// What Firefox 140 reports of the driver's own scripts, which wait in a realm beside that of the page.
const OF_THE_DRIVER = /^Error: Permission denied to access property|^Permission denied to access property/;

/** Runs before each page: what is copied is kept, since a browser without a window has no clipboard. */
function keepCopies() {
    Object.defineProperty(navigator.clipboard, 'writeText', {
        value: async (text) => {
            window.copied = text;
        },
    });
}

export class Visitor {
    /** `downloads` is the folder in which the browser saves, `context` the options of contexts that save there. */
    constructor(browser, url, { downloads, context }) {
        Object.assign(this, { browser, url, downloads, options: context });
    }

    /** Opens an address of the site in a page of its own until the visit has ended. What the page complains of is an error. */
    async visit(address, act) {
        // Each visit has a storage of its own.
        const context = await this.browser.createBrowserContext(this.options);
        const page = await context.newPage();
        const problems = [];
        page.on('pageerror', (error) => OF_THE_DRIVER.test(error.message) || problems.push(`error: ${error.message}`));
        page.on('console', (message) => ['error', 'warn'].includes(message.type()) && problems.push(`console: ${message.text()}`));
        page.on('request', (request) => {
            if (!request.url().startsWith(this.url) && !/^(data|blob|about):/.test(request.url()))
                problems.push(`a request to ${request.url()}`);
        });
        await page.evaluateOnNewDocument(keepCopies);
        const guest = new Guest(page, this);
        try {
            await page.goto(this.url + address);
            const said = await act(guest, page);
            assert.ok(problems.length === 0, `the page complains: ${problems.join('; ')}`);
            return said;
        } finally {
            await context.close();
        }
    }
}

/** What a person does in a page. */
class Guest {
    constructor(page, { downloads, url }) {
        Object.assign(this, { page, downloads, url });
    }

    /** Waits until a function of the page gives something that is true. */
    until(what, test, value, timeout = WAIT) {
        return this.page.waitForFunction(test, { timeout, polling: 50 }, value).catch(async (error) => {
            const text = await this.page.evaluate(() =>
                [...document.querySelectorAll('[role=alert], .message, #status, #diagnostics li')].map((one) => one.innerText).join(' | '),
            );
            throw new Error(`${what}: not within ${timeout / 1000} s (${error.message}); the page says: ${text.slice(0, 400)}`);
        });
    }

    text(selector) {
        return this.page.$eval(selector, (element) => element.innerText.trim());
    }

    value(selector) {
        return this.page.$eval(selector, (element) => element.value);
    }

    seen(selector) {
        return this.page.$$eval(selector, (all) => all.filter((one) => one.checkVisibility()).length);
    }

    click(selector) {
        return this.page.$eval(selector, (element) => element.click());
    }

    /** Types in place of what stood in a field. */
    async enter(selector, text) {
        await this.page.focus(selector);
        await this.page.$eval(selector, (element) => element.select());
        await this.page.keyboard.type(text);
        await this.page.$eval(selector, (element) => element.blur());
    }

    async press(...keys) {
        for (const combination of keys) {
            const [key, ...held] = combination.split('+').reverse();
            for (const one of held) await this.page.keyboard.down(one);
            await this.page.keyboard.press(key);
            for (const one of held) await this.page.keyboard.up(one);
        }
    }

    /** Pastes a text in place of what stood in the editor. */
    async paste(text) {
        await this.page.focus('.cm-content');
        await this.press('Control+a');
        await this.page.$eval(
            '.cm-content',
            (element, text) => {
                const clipboardData = new DataTransfer();
                clipboardData.setData('text/plain', text);
                // Firefox takes the text from the keys `data` and `dataType`.
                const event = new ClipboardEvent('paste', {
                    clipboardData,
                    data: text,
                    dataType: 'text/plain',
                    bubbles: true,
                    cancelable: true,
                });
                element.dispatchEvent(event);
            },
            text,
        );
    }

    /** Drops a file on an element. */
    drop(selector, name, bytes) {
        return this.page.$eval(
            selector,
            (element, name, bytes) => {
                const dataTransfer = new DataTransfer();
                dataTransfer.items.add(new File([new Uint8Array(bytes)], name));
                for (const type of ['dragover', 'drop'])
                    element.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
            },
            name,
            Array.from(bytes),
        );
    }

    /** Chooses a file in a field for files. */
    async choose(selector, name, bytes) {
        const file = path.join(this.downloads, name);
        fs.writeFileSync(file, bytes);
        await (await this.page.$(selector)).uploadFile(file);
    }

    /** The bytes that a button saves, under the name that is expected. */
    async saved(selector, name) {
        const file = path.join(this.downloads, name);
        fs.rmSync(file, { force: true });
        await this.click(selector);
        for (let waited = 0; waited < WAIT; waited += 50) {
            if (fs.existsSync(file) && fs.statSync(file).size > 0) {
                await new Promise((resolve) => setTimeout(resolve, 100));
                return fs.readFileSync(file);
            }
            await new Promise((resolve) => setTimeout(resolve, 50));
        }
        throw new Error(`expected the file ${name}, found ${fs.readdirSync(this.downloads).join(', ')}`);
    }

    /** What a button puts into the clipboard. */
    async copied(selector) {
        await this.page.evaluate(() => {
            window.copied = undefined;
        });
        await this.click(selector);
        await this.until(`what ${selector} copies`, () => window.copied !== undefined);
        return this.page.evaluate(() => window.copied);
    }

    /** A picture of the page for eyes. */
    async screenshot(name) {
        const folder = path.resolve('target/web-tests/screens');
        fs.mkdirSync(folder, { recursive: true });
        await this.page.screenshot({ path: path.join(folder, `${name}.png`), fullPage: true });
    }

    /** Fails on what axe-core finds against WCAG 2.1 AA. */
    async accessible(what) {
        await this.page.evaluate(fs.readFileSync(AXE, 'utf8'));
        const found = await this.page.evaluate(async () => {
            const { violations } = await window.axe.run(document, {
                runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'],
            });
            return violations.map(
                ({ id, help, nodes }) =>
                    `${id}: ${help}: ${nodes
                        .slice(0, 3)
                        .map(({ target }) => target.join(' '))
                        .join('; ')} (${nodes.length})`,
            );
        });
        assert.ok(found.length === 0, `${what}: ${found.join('; ')}`);
    }

    /** Nothing is wider than the window, but what scrolls by itself. */
    async fits(what) {
        // What follows the width of the window does so a moment later.
        await new Promise((resolve) => setTimeout(resolve, 400));
        const [wide, width, culprits] = await this.page.evaluate(() => {
            const width = document.documentElement.clientWidth;
            const scrolls = (one) =>
                one && (['auto', 'scroll', 'hidden', 'clip'].includes(getComputedStyle(one).overflowX) || scrolls(one.parentElement));
            const culprits = [...document.body.querySelectorAll('*')].filter(
                (one) => one.getBoundingClientRect().right > width + 1 && !scrolls(one.parentElement),
            );
            return [
                document.documentElement.scrollWidth,
                width,
                culprits.slice(0, 5).map((one) => `${one.tagName}#${one.id}.${one.className}`),
            ];
        });
        assert.ok(wide <= width, `${what}: the page is ${wide} wide in a window of ${width}: ${culprits.join(', ')}`);
    }
}

/** The fragment of the playground's address for a state, written apart from the page's own code. */
export function fragment(state) {
    const body = deflateRawSync(Buffer.from(JSON.stringify(state))).toString('base64url');
    let hash = 0x811c9dc5;
    for (const letter of body) hash = Math.imul(hash ^ letter.charCodeAt(0), 0x01000193);
    return `#1.${(hash >>> 0).toString(36)}.${body}`;
}

/** The state of an address of the playground. */
export function stateOf(address) {
    return JSON.parse(inflateRawSync(Buffer.from(address.split('.').at(-1), 'base64url')).toString());
}

export const digest = (bytes) => crypto.createHash('sha256').update(bytes).digest('hex');
