// All tests of the page and its engine in real browsers: node all.mjs FOLDER [TEXT], where FOLDER is what crates/web/build wrote. With a text only
// the cases run whose names have it: of a browser, of a part, or of a case.
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { BROWSERS } from './browsers.mjs';
import { engine } from './engine.mjs';
import { native } from './native.mjs';
import { pages } from './page.mjs';
import { end, failed, only, test } from './report.mjs';
import { serve } from './server.mjs';
import { site } from './site.mjs';
import { states } from './states.mjs';
import { types } from './types.mjs';

const [folder, text = ''] = process.argv.slice(2);
if (!fs.existsSync(path.join(folder ?? '', 'package/index.js'))) {
    console.error(`expected the folder that crates/web/build wrote, with package/index.js in it, got ${folder}; run crates/web/build first`);
    process.exit(2);
}
only(text);
const server = await serve({
    '/tests/': import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname),
    '/': path.resolve(folder),
});

const LANES = [['Chromium, llvmpipe'], ['Chromium, SwiftShader', 'Firefox, llvmpipe']];

/** All that is tested in a browser; everything is looked at in the first one, and the pages are used in the last one too. */
async function browse(label) {
    const { launch, renderer, skips } = BROWSERS[label];
    const whole = label === 'Chromium, llvmpipe';
    const { browser, ...saving } = await launch();
    try {
        await engine(label, browser, server.url, { renderer, skips });
        if (label !== 'Chromium, SwiftShader') await pages(label, browser, server, { saving, whole });
        await native(label, browser, server.url);
    } finally {
        await browser.close();
    }
}

await test('types: the example compiles against index.d.ts', types);
await site(folder);
await states();
// Two browsers at a time, since each leaves a core idle while it waits.
const named = Object.keys(BROWSERS).find((label) => text.startsWith(label));
const lanes = named ? [[named]] : LANES;
await Promise.all(
    lanes.map(async (labels) => {
        for (const label of labels) await browse(label).catch((error) => failed(label, error));
    }),
);
server.close();
end();
