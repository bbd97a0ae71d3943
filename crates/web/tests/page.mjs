// Tests of the pages in a browser: each action of the playground, the lessons, the card.
import { card } from './card.mjs';
import { lessons } from './lessons.mjs';
import { playground } from './playground.mjs';
import { test } from './report.mjs';
import { Visitor } from './visitor.mjs';

/** `whole` is for the one browser in which everything is looked at; elsewhere each page is opened and used once. */
export async function pages(label, browser, server, { saving, whole }) {
    const visitor = new Visitor(browser, server.url, saving);
    await playground(label, visitor, { whole });
    await lessons(label, visitor, { whole });
    if (whole) await card(label, visitor);
    await test(`${label}: pages: no file was asked for in vain`, () => {
        const missing = server.missing.filter((address) => !address.endsWith('/favicon.ico'));
        if (missing.length) throw new Error(`not found: ${missing.join(', ')}`);
    });
}
