// The browsers that the tests run in, each with the renderer that it computes on. All are Debian's own, and none has a GPU: Chromium
// is driven by the DevTools protocol, Firefox by WebDriver BiDi.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import puppeteer from 'puppeteer-core';

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
const FIREFOX = process.env.FIREFOX ?? '/usr/bin/firefox-esr';
const [WIDTH, HEIGHT] = [1200, 900];

/** A folder of this run, which is removed at the end. */
function folder() {
    const made = fs.mkdtempSync(path.join(os.tmpdir(), 'quadrille-downloads-'));
    process.on('exit', () => fs.rmSync(made, { recursive: true, force: true }));
    return made;
}

async function chromium(...flags) {
    const downloads = folder();
    const browser = await puppeteer.launch({
        executablePath: CHROMIUM,
        defaultViewport: { width: WIDTH, height: HEIGHT },
        args: ['--no-sandbox', '--disable-gpu-sandbox', '--disable-gpu-watchdog', '--ignore-gpu-blocklist', '--mute-audio', ...flags],
        env: { ...process.env, EGL_PLATFORM: 'surfaceless' },
        protocolTimeout: 120_000,
    });
    return { browser, downloads, context: { downloadBehavior: { policy: 'allow', downloadPath: downloads } } };
}

/**
 * Firefox makes no GL context without a display, headless or not: it asks the display first which driver there is. So a display of
 * its own is started for it, which holds nothing.
 */
async function firefox() {
    const downloads = folder();
    const display = spawn('Xvfb', ['-displayfd', '1', '-screen', '0', '1280x1024x24', '-nolisten', 'tcp'], {
        stdio: ['ignore', 'pipe', 'ignore'],
    });
    const number = await new Promise((resolve, reject) => {
        display.once('error', (error) => reject(new Error(`Firefox needs Xvfb, of the package xvfb: ${error.message}`)));
        display.once('exit', (code) => reject(new Error(`Xvfb ended with ${code} before it had a display`)));
        display.stdout.once('data', (text) => resolve(String(text).trim()));
    });
    const browser = await puppeteer
        .launch({
            browser: 'firefox',
            executablePath: FIREFOX,
            // The window's own size, since Firefox of Debian 12 does not know all of what a viewport is set by.
            defaultViewport: null,
            args: [`--width=${WIDTH}`, `--height=${HEIGHT}`],
            env: { ...process.env, DISPLAY: `:${number}`, LIBGL_ALWAYS_SOFTWARE: '1' },
            extraPrefsFirefox: {
                'webgl.force-enabled': true,
                'browser.download.folderList': 2,
                'browser.download.dir': downloads,
                'browser.download.useDownloadDir': true,
            },
            protocolTimeout: 120_000,
        })
        .catch((error) => {
            display.kill();
            throw error;
        });
    browser.once('disconnected', () => display.kill());
    process.once('exit', () => display.kill());
    return { browser, downloads, context: {} };
}

/**
 * By name: how to start it, with the folder of its downloads and the options of contexts that save there; what the renderer's name must
 * have, so that no test runs on another one unnoticed; and the cases of the engine that take long and run in other browsers.
 */
export const BROWSERS = {
    'Chromium, llvmpipe': { renderer: /llvmpipe/, skips: [], launch: () => chromium('--use-gl=angle', '--use-angle=gl-egl') },
    'Chromium, SwiftShader': {
        renderer: /SwiftShader/,
        skips: ['card', 'memory'],
        launch: () => chromium('--use-angle=swiftshader', '--enable-unsafe-swiftshader'),
    },
    'Firefox, llvmpipe': { renderer: /llvmpipe/, skips: ['card'], launch: firefox },
};
