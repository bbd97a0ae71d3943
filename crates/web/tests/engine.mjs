// Tests of the engine, function by function: the cases of engine/, which run in the page, and the memory of the browser beside them.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { skipped, test, wanted } from './report.mjs';

/** The sizes in memory of a process and all that it started, in MB, as Linux counts them; pages that they share count once for each. */
function memory(pid) {
    const parents = fs
        .readdirSync('/proc')
        .filter((name) => /^\d+$/.test(name))
        .flatMap((name) => {
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

/**
 * Runs the case for a short time, in which memory grows to what the work takes, and then whole: it may not grow. Garbage of JavaScript
 * stays as long as the browser likes, so that what has grown is looked at again; what leaks goes on growing.
 */
async function flat(browser, run) {
    await run(5);
    const before = memory(browser.process().pid);
    const after = [];
    // A texture of 64 x 64 that each of the 1000 experiments leaves behind would be 64 MB.
    while (after.length < 3 && !(after.at(-1) - before < 30)) {
        await run(50);
        after.push(memory(browser.process().pid));
    }
    const said = `${before.toFixed(0)} MB, then ${after.map((size) => size.toFixed(0)).join(', ')}`;
    assert.ok(after.at(-1) - before < 30, `memory grew: ${said}`);
    return said;
}

/** All cases in a browser; `skips` are the groups that take long and run in other browsers. */
export async function engine(label, browser, url, { renderer, skips }) {
    const page = await browser.newPage();
    await page.goto(`${url}/tests/engine/index.html`);
    await page.waitForFunction(() => 'run' in window, { timeout: 10_000 });
    for (const name of await page.evaluate(() => window.names)) {
        const full = `${label}: ${name}`;
        const run = async (rounds) => {
            const { failed, said } = await page.evaluate((name, rounds) => window.run(name, rounds), name, rounds);
            if (failed) throw Object.assign(new Error(failed.message), { stack: failed.text });
            return said;
        };
        if (skips.some((group) => name.startsWith(group))) skipped(full, 'in other browsers alone');
        else if (name.startsWith('memory')) await test(full, () => flat(browser, run));
        else await test(full, () => run());
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
