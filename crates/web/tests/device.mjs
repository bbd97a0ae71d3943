// The library's device tests in Chromium on llvmpipe: node device.mjs FOLDER [TEXT], where FOLDER has what tests/web-device compiled. With
// a text only the tests run whose names have it. Two browsers share the list, since each leaves a core idle while it waits.
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { BROWSERS } from './browsers.mjs';
import { end, failed, test } from './report.mjs';
import { serve } from './server.mjs';

const [folder, text = ''] = process.argv.slice(2);

/** What does not apply to a browser, by the beginnings of names, and why. */
const LEFT_OUT = JSON.parse(fs.readFileSync(new URL('./device/left_out.json', import.meta.url), 'utf8'));

const reasonOf = (name) => Object.keys(LEFT_OUT).find((reason) => LEFT_OUT[reason].some((beginning) => name.startsWith(beginning)));

async function open(url) {
    const { browser } = await BROWSERS['Chromium, llvmpipe'].launch();
    const page = await browser.newPage();
    await page.goto(`${url}/`);
    await page.waitForFunction(() => 'runner' in window, { timeout: 10_000 });
    return { browser, page };
}

const server = await serve({ '/': path.resolve(folder) });
const lanes = await Promise.all([open(server.url), open(server.url)]);
const all = (await lanes[0].page.evaluate(() => window.runner.names())).map((name) => name.split('::').slice(1).join('::')).sort();

// A name that is no test any more would leave out nothing, and nobody would know.
for (const beginning of Object.values(LEFT_OUT).flat()) {
    if (!all.some((name) => name.startsWith(beginning))) failed('left_out.json', new Error(`no test begins with ${beginning}`));
}

const queue = all.filter((name) => name.includes(text) && reasonOf(name) === undefined);
const notAsked = [];


async function drain({ page }, root) {
    for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
        const answer = await page.evaluate((name) => window.runner.run(name), `${root}::${name}`);
        if (answer.ran === false) notAsked.push(name);
        else await test(name, () => { if (answer.failed !== undefined) throw Object.assign(new Error(answer.failed), { stack: answer.failed }); });

    }
}

await Promise.all(lanes.map((lane) => drain(lane, 'quadrille_web_device_tests')));
await Promise.all(lanes.map(({ browser }) => browser.close()));
server.close();
console.log(`${notAsked.length} ask only for contexts that a browser has not`);
for (const [reason, beginnings] of Object.entries(LEFT_OUT)) {
    const count = all.filter((name) => beginnings.some((beginning) => name.startsWith(beginning))).length;
    console.log(`${count} do not apply: ${reason}`);
}
end();
