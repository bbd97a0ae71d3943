// All tests of the page and its engine in real browsers: node all.mjs SITE [TEXT], where SITE is what web/build wrote. With a text only
// the cases run whose names have it: of a browser, of a part, or of a case.
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { BROWSERS } from './browsers.mjs';
import { engine } from './engine.mjs';
import { native } from './native.mjs';
import { pages } from './page.mjs';
import { end, only, test } from './report.mjs';
import { serve } from './server.mjs';
import { types } from './types.mjs';

const [site, text = ''] = process.argv.slice(2);
if (!fs.existsSync(path.join(site ?? '', 'package/index.js'))) {
    console.error(`expected the folder that web/build wrote, with package/index.js in it, got ${site}; run web/build first`);
    process.exit(2);
}
only(text);
const server = await serve({ '/tests/': import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname), '/': path.resolve(site) });

await test('types: the example compiles against index.d.ts', types);
const labels = Object.keys(BROWSERS);
const named = labels.find((label) => text.startsWith(label));
for (const label of named ? [named] : labels) {
    const { launch, renderer } = BROWSERS[label];
    const { browser, downloads } = await launch();
    try {
        const first = label === labels[0];
        await engine(label, browser, server.url, { renderer, card: first });
        if (label !== 'Chromium, SwiftShader') await pages(label, browser, server, { downloads, whole: first });
        if (first) await native(label, browser, server.url);
    } finally {
        await browser.close();
    }
}
server.close();
end();
