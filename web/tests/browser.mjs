// Runs the engine in headless Chromium: node browser.mjs FOLDER, where FOLDER has what web/build wrote. Each renderer in turn: Mesa's
// llvmpipe by ANGLE, and SwiftShader.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { chromium } from 'playwright-core';

const RENDERERS = {
    llvmpipe: ['--use-gl=angle', '--use-angle=gl-egl', '--ignore-gpu-blocklist'],
    SwiftShader: ['--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist'],
};
const TYPES = { '.js': 'text/javascript', '.wasm': 'application/wasm' };

const folder = path.resolve(process.argv[2]);
const server = http.createServer((request, response) => {
    const file = path.join(folder, path.normalize(request.url));
    const found = fs.existsSync(file) && fs.statSync(file).isFile();
    response.writeHead(request.url === '/' || found ? 200 : 404, { 'content-type': TYPES[path.extname(file)] ?? 'text/html' });
    response.end(found ? fs.readFileSync(file) : '<!doctype html><title>test</title>');
});
await new Promise((resolve) => server.listen(0, resolve));

// What runs in the page: only what it returns comes back.
async function inPage() {
    const { start } = await import('/index.js');
    const engine = start();
    const failure = (promise) => promise.then(() => 'no error', (error) => error.message);
    const found = { ...(await engine.describe()) };

    const a = new Float32Array(4 * 37 * 29).map((_, i) => (i % 1000) * 0.37 - 100);
    const text = 'uniform sampler2D a;\nout vec4 v;\nvoid main() { v = READ(a, TEXEL) * 3.0 + 0.1; }';
    const y = await engine.run(text, 37, 29, { a });
    // A product and a sum, each rounded once, or the sum alone.
    const near = (v, x) => v === Math.fround(Math.fround(x * 3) + Math.fround(0.1)) || v === Math.fround(x * 3 + Math.fround(0.1));
    found.rightNumbers = y.filter((v, i) => near(v, a[i])).length;
    found.numbers = y.length;

    found.errors = [
        await failure(engine.run('out vec4 v;\nvoid main() { v = vec4(nothing); }', 4, 4, {})),
        await failure(engine.run(text, 4, 4, { a })),
        await failure(engine.run(text, 37, 29, { b: a })),
        await failure(engine.run('out vec4 v;\nvoid main() { v = vec4(1.0); }', 1 << 20, 4, {})),
        await failure(engine.solve('poisson6:9', 1e-8)),
    ];

    // b - A x of the five-point Laplacian in double precision, by a loop.
    const [width, height] = [57, 300];
    const { x, iterations, residual } = await engine.solve(`poisson5:${width}x${height}`, 1e-11);
    let squares = 0;
    for (let row = 0; row < height; row++) {
        for (let column = 0; column < width; column++) {
            const at = (i, j) => (i >= 0 && i < width && j >= 0 && j < height ? x[j * width + i] : 0);
            const sides = at(column - 1, row) + at(column + 1, row) + at(column, row - 1) + at(column, row + 1);
            squares += (1 - (4 * at(column, row) - sides)) ** 2;
        }
    }
    found.solved = { iterations, residual, computed: Math.sqrt(squares / (width * height)) };
    const cube = await engine.solve('poisson7:40', 1e-11);
    found.cube = { iterations: cube.iterations, residual: cube.residual };

    const stopped = failure(engine.solve('poisson5:400', 1e-11));
    engine.stop();
    found.stopped = await stopped;
    return found;
}

for (const [name, flags] of Object.entries(RENDERERS)) {
    const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'quadrille-'));
    const browser = await chromium.launchPersistentContext(profile, {
        executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
        chromiumSandbox: false,
        args: ['--no-sandbox', '--disable-gpu-sandbox', '--disable-gpu-watchdog', ...flags],
        env: { ...process.env, EGL_PLATFORM: 'surfaceless' },
    });
    const page = browser.pages()[0];
    page.on('pageerror', (error) => console.error(error));
    await page.goto(`http://localhost:${server.address().port}/`);
    const found = await page.evaluate(inPage);
    assert.match(found.renderer, new RegExp(name, 'i'));
    assert.equal(found.rightNumbers, found.numbers);
    assert.match(found.errors[0], /'nothing'[^]*2 \| void main/);
    assert.match(found.errors[1], /input a: expected 64 floats/);
    assert.match(found.errors[2], /\bb\b/);
    assert.match(found.errors[3], /1048576/);
    assert.match(found.errors[4], /unknown stencil/);
    assert.ok(found.solved.residual <= 1e-11 && found.solved.computed <= 1.1e-11, JSON.stringify(found.solved));
    assert.ok(found.cube.residual <= 1e-11 && found.cube.iterations < 20, JSON.stringify(found.cube));
    assert.match(found.stopped, /stopped/);
    console.log(`${name}: ${JSON.stringify({ renderer: found.renderer, solved: found.solved, cube: found.cube })}`);
    await browser.close();
    fs.rmSync(profile, { recursive: true, force: true });
}
server.close();
