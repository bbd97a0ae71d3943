// A server of files for the tests: the site at /, the tests' own modules at /tests/, and nothing else.
import fs from 'node:fs/promises';
import http from 'node:http';
import path from 'node:path';

const TYPES = {
    '.css': 'text/css',
    '.html': 'text/html; charset=utf-8',
    '.js': 'text/javascript',
    '.json': 'application/json',
    '.png': 'image/png',
    '.svg': 'image/svg+xml',
    '.wasm': 'application/wasm',
};

/** The file that an address means, or null: as the usual servers of static sites find it. */
async function find(folders, address) {
    const [prefix, folder] = Object.entries(folders).find(([prefix]) => address.startsWith(prefix)) ?? [];
    if (folder === undefined) return null;
    const file = path.join(folder, path.normalize('/' + decodeURIComponent(address.slice(prefix.length))));
    const facts = await fs.stat(file).catch(() => null);
    if (facts?.isFile()) return file;
    return facts?.isDirectory() && address.endsWith('/') ? find(folders, `${address}index.html`) : null;
}

/** Serves folders by prefix, the longest prefix first; `missing` are the addresses that were asked for in vain. */
export async function serve(folders) {
    const missing = [];
    const server = http.createServer(async (request, response) => {
        const address = request.url.split('?')[0];
        const file = await find(folders, address);
        if (file === null) {
            missing.push(address);
            response.writeHead(404, { 'content-type': 'text/plain' }).end('no such file');
        } else {
            response
                .writeHead(200, { 'content-type': TYPES[path.extname(file)] ?? 'application/octet-stream' })
                .end(await fs.readFile(file));
        }
    });
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    return { url: `http://localhost:${server.address().port}`, missing, close: () => server.close() };
}
