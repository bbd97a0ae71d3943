// Tests of the engine, function by function: the cases of engine/, which run in the page, and the memory of the browser beside them.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { skipped, test, wanted } from './report.mjs';

/** The sizes in memory of a process and all that it started, in MB, as Linux counts them; pages that they share count once for each. */
function memory(pid) {
    const parents = fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name)).flatMap((name) => {
        try {
            const status = fs.readFileSync(`/proc/${name}/status`, 'utf8');
            const number = (key) => Number(status.match(new RegExp(`^${key}:\\s+(\\d+)`, 'm'))?.[1] ?? 0);
            return [{ pid: Number(name), parent: number('PPid'), size: number('RssAnon') + number('RssShmem') }];
        } catch {
            return [];
        }
    });
    const sum = (pid) => parents.filter(({ parent }) => parent === pid).reduce((all, child) => all + child.size + sum(child.pid), 0);
    return ((parents.find((one) => one.pid === pid)?.size ?? 0) + sum(pid)) / 1024;
}

/** Runs the case twice: at first memory grows to what the work takes, then it may not grow. */
async function flat(browser, run) {
    await run();
    const before = memory(browser.process().pid);
    await run();
    const after = memory(browser.process().pid);
    // A texture of 64 x 64 that is left behind in each run would be 128 MB.
    assert.ok(after - before < 40, `memory grew from ${before.toFixed(0)} to ${after.toFixed(0)} MB`);
    return `${before.toFixed(0)} MB, and ${after.toFixed(0)} after it was done again`;
}

/** All cases in a browser; `card` says whether the accuracy card is made, which takes ten seconds. */
export async function engine(label, browser, url, { renderer, card }) {
    const page = await browser.newPage();
    await page.goto(`${url}/tests/engine/index.html`);
    await page.waitForFunction(() => 'run' in window, { timeout: 10_000 });
    for (const name of await page.evaluate(() => window.names)) {
        const full = `${label}: ${name}`;
        const run = async () => {
            const { failed, said } = await page.evaluate((name) => window.run(name), name);
            if (failed) throw Object.assign(new Error(failed.message), { stack: failed.text });
            return said;
        };
        if (name.startsWith('card') && !card) skipped(full, 'in another browser');
        else if (name.startsWith('memory')) await test(full, () => flat(browser, run));
        else await test(full, run);
    }
    if (wanted(`${label}: renderer`)) {
        await test(`${label}: renderer`, async () => {
            const found = await page.evaluate(async () => {
                const { start } = await import('/package/index.js');
                const engine = await start();
                engine.stop();
                return engine.device.renderer;
            });
            assert.match(found, renderer);
        });
    }
    await page.close();
}
