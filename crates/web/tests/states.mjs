// What a link may hold, which anybody may have written: looked at without a browser, with the modules of the page as they are.
// Alone: node crates/web/tests/states.mjs
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { deflateRawSync } from 'node:zlib';
import { end, test } from './report.mjs';

const here = import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname);
// Beside the sources, or in target/web-tests.
const site = ['../site', '../../crates/web/site'].map((folder) => path.join(here, folder)).find((folder) => fs.existsSync(folder));
const module = (name) => import(pathToFileURL(path.join(site, name)).href);

const TEXT = 'out float y; void main() { y = 1.0; }';

/** A link to bytes that no page made. */
function linked(bytes) {
    const body = deflateRawSync(bytes, { level: 9 }).toString('base64url');
    let hash = 0x811c9dc5;
    for (let i = 0; i < body.length; i++) hash = Math.imul(hash ^ body.charCodeAt(i), 0x01000193);
    return `#1.${(hash >>> 0).toString(36)}.${body}`;
}

const CASES = {
    'a link is read as it was written': async () => {
        const { fragmentOf, stateOf } = await module('common/link.js');
        const state = { main: 'a.frag', files: { 'a.frag': TEXT + '\n// é\n'.repeat(50_000) } };
        assert.deepEqual(await stateOf(await fragmentOf(state)), state);
        assert.deepEqual(await stateOf(linked(JSON.stringify(state))), state);
    },
    'a short link to very many bytes is refused before they are there': async () => {
        const { stateOf } = await module('common/link.js');
        const link = linked(Buffer.concat([Buffer.from('"'), Buffer.alloc(200 << 20, 'a'), Buffer.from('"')]));
        assert.ok(link.length < 300_000);
        const before = process.memoryUsage().arrayBuffers;
        await assert.rejects(stateOf(link), /more than 4 MiB/);
        assert.ok(process.memoryUsage().arrayBuffers - before < 32 << 20);
    },
    'the shader that runs is one of the files, whatever other objects have by themselves': async () => {
        const { cleaned } = await module('playground/state.js');
        for (const main of ['constructor', 'toString', '__proto__', 'hasOwnProperty', 'nothing.frag'])
            assert.equal(cleaned({ main, files: { 'a.frag': TEXT } }).main, 'a.frag', main);
        const own = cleaned(JSON.parse(`{"main":"__proto__","files":{"__proto__":${JSON.stringify(TEXT)}}}`));
        assert.equal(own.main, '__proto__');
        assert.equal(own.files[own.main], TEXT);
    },
    'a name that other objects have by themselves is nothing that was given': async () => {
        const { cleaned } = await module('playground/state.js');
        const state = cleaned({ main: 'a.frag', files: { 'a.frag': TEXT } });
        for (const name of ['constructor', 'toString', '__proto__']) {
            for (const table of ['files', 'inputs', 'given', 'uniforms', 'ranges', 'feedback'])
                assert.equal(state[table][name], undefined, `${table} has ${name}`);
        }
    },
};

export async function states() {
    for (const [name, body] of Object.entries(CASES)) await test(`states: ${name}`, body);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
    await states();
    end();
}
