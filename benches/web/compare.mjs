// Times the engine in headless Chromium on llvmpipe beside TensorFlow.js and gpu.js, in one page and in turns:
//
//     crates/web/build && cargo build --release && benches/compare_web [ROUNDS]
//
// Prints medians in milliseconds with the least and the greatest, and ratios of medians. Each contender computes on arrays that are on the
// device, ends a round by reading a number that depends on all of its work, and has its results checked in double precision once.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import puppeteer from 'puppeteer-core';
import { serve } from '../web-tests/server.mjs';

const [root, rounds = '5'] = process.argv.slice(2);
const here = import.meta.dirname;
const MODULES = [
    '@tensorflow/tfjs-core/dist/tf-core.min.js',
    '@tensorflow/tfjs-backend-cpu/dist/tf-backend-cpu.min.js',
    '@tensorflow/tfjs-backend-webgl/dist/tf-backend-webgl.min.js',
    'gpu.js/dist/gpu-browser.min.js',
];

/** The time of a step of `quadrille run`, in milliseconds: that of many steps without that of one. */
function native() {
    const command = path.join(root, 'target/release/quadrille');
    const shader = path.join(here, 'pass.frag');
    const run = (steps) => {
        const began = performance.now();
        execFileSync(command, ['run', shader, '--device', 'llvmpipe', '--input', 'x=random:2048x2048', '--uniform', 'k=0.999', '--feedback', 'y=x',
            '--iterate', String(steps), '--output', `y=${path.join(here, 'y.npy')}`], { stdio: 'ignore' });
        return performance.now() - began;
    };
    return (run(401) - run(1)) / 400;
}

const server = await serve({ '/modules/': path.join(here, 'node_modules'), '/bench/': here, '/': path.join(root, 'crates/web/dist') });
const browser = await puppeteer.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu-sandbox', '--disable-gpu-watchdog', '--ignore-gpu-blocklist', '--use-gl=angle', '--use-angle=gl-egl'],
    env: { ...process.env, EGL_PLATFORM: 'surfaceless' },
    protocolTimeout: 600_000,
});
const page = await browser.newPage();
page.on('pageerror', (error) => console.error(error));
await page.goto(`${server.url}/bench/page.html`);
for (const module of MODULES) await page.addScriptTag({ url: `/modules/${module}` });
await page.addScriptTag({ url: '/bench/page.js', type: 'module' });
await page.waitForFunction(() => 'works' in window, { timeout: 60_000 });

const median = (times) => times.toSorted((a, b) => a - b)[times.length >> 1];
const shown = (times) => `${median(times).toFixed(2)} (${Math.min(...times).toFixed(2)} to ${Math.max(...times).toFixed(2)})`;

for (const work of await page.evaluate(() => window.works)) {
    const names = await page.evaluate((work) => window.begin(work), work);
    const times = Object.fromEntries(names.map((name) => [name, []]));
    const hasNative = work.startsWith('pass') && fs.existsSync(path.join(root, 'target/release/quadrille'));
    if (hasNative) times.native = [];
    for (let round = 0; round < Number(rounds); round++) {
        for (const name of names) times[name].push(await page.evaluate((name) => window.time(name), name));
        if (hasNative) times.native.push(native());
    }
    await page.evaluate(() => window.end());
    const ours = median(times.quadrille);
    console.log(work);
    for (const [name, found] of Object.entries(times)) {
        console.log(`    ${name.padEnd(14)} ${shown(found)} ms${name === 'quadrille' ? '' : `, ${(median(found) / ours).toFixed(2)} times quadrille's`}`);
    }
}
await browser.close();
server.close();
