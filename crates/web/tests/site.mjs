// What can be told of the site without a browser: its size, and that its pages ask for nothing elsewhere.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from './report.mjs';

const MOST = 3_000_000;

/** All files below a folder. */
function files(folder) {
    return fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
        const file = path.join(folder, entry.name);
        return entry.isDirectory() ? files(file) : [file];
    });
}

export async function site(folder) {
    const all = files(folder);
    const pages = all.filter((file) => file.endsWith('.html'));

    await test('site: at most 3 MB', () => {
        const size = all.reduce((sum, file) => sum + fs.statSync(file).size, 0);
        assert.ok(size <= MOST, `the site has ${size} bytes`);
        return `${(size / 1e6).toFixed(2)} MB in ${all.length} files`;
    });

    for (const file of pages) {
        await test(`site: ${path.relative(folder, file)}`, () => {
            const text = fs.readFileSync(file, 'utf8');
            for (const needed of [
                '<!doctype html>',
                '<html lang="en"',
                '<meta charset="utf-8">',
                'name="viewport"',
                '<title>',
                'rel="icon"',
                '<main',
            ]) {
                assert.ok(text.includes(needed), `expected ${needed}`);
            }
            // Links may lead elsewhere; what a page is made of may not come from there.
            assert.deepEqual(text.match(/<(?:script|img|iframe|source|video|audio|link)[^>]*(?:src|href)="(?:https?:)?\/\/[^"]*"/g), null);
            for (const [, address] of text.matchAll(/(?:src|href)="([^"#?]+)[^"]*"/g)) {
                if (/^[a-z]+:/.test(address)) continue;
                const target = path.join(path.dirname(file), address);
                assert.ok(fs.existsSync(target), `${address} leads to no file`);
            }
        });
    }
}
