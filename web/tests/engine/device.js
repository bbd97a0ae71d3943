// The device, and its accuracy card.
import { equal, ok } from './check.js';

export const device = {
    'the device is described': async (engine) => {
        const { renderer, vendor, version, maxTextureSize, software } = engine.device;
        ok([renderer, vendor, version].every((text) => typeof text === 'string' && text.length > 0), 'texts');
        ok(maxTextureSize >= 2048, `textures of ${maxTextureSize}`);
        equal(software, true, 'a software renderer');
        await engine.finish();
        return `${renderer}; ${version}`;
    },
};

/** Of one browser, since it takes ten seconds. */
export const card = {
    'an accuracy card with its sentences': async (engine) => {
        const told = [];
        const made = await engine.card({ progress: (done, expected) => told.push([done, expected]) });
        ok(typeof made.device === 'string' && made.device.length > 0, 'the card names its device');
        ok(told.length > 2 && told.every(([done], i) => i === 0 || done >= told[i - 1][0]), `progress grows, told ${told.length} times`);
        const sections = await engine.verdicts(made);
        ok(sections.length > 0 && sections.every(({ title, verdicts }) => title && verdicts.length > 0), 'each section has sentences');
        ok(sections.flatMap(({ verdicts }) => verdicts).every(({ text, good }) => text && typeof good === 'boolean'), 'each has a text');
        return `${sections.length} sections`;
    },
};
