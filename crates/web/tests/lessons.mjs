// The lessons: each slider is moved, and the numbers that come are finite, and right where that can be told.
import assert from 'node:assert/strict';
import { test } from './report.mjs';

/** The numbers of a table of results, by the names of its rows. */
const rowsOf = (guest, selector = '#figure table.numbers') =>
    guest.page.$$eval(selector, (tables) =>
        tables.flatMap((table) => [...table.querySelectorAll('tr')].map((row) => [...row.children].map((cell) => cell.innerText.trim()))),
    );

const number = (text) => Number(text.replaceAll(/[  ,]/g, ''));

/** The places of each slider, counted from its start, what holds there, and what else can be done. */
const LESSONS = {
    stages: {
        places: [0, 1, 7, 'last'],
        async holds(guest) {
            assert.match(await guest.text('#figure'), /16 of 16 numbers are equal/);
        },
        async acts(guest) {
            await guest.page.focus('#figure td[tabindex="0"]');
            await guest.press('ArrowRight', 'ArrowDown');
            assert.match(await guest.text('#figure'), /column 1, row 1/);
        },
    },
    products: {
        places: [0, 2, 4],
        async holds(guest, value) {
            const rows = Object.fromEntries((await rowsOf(guest)).map(([name, ...cells]) => [name, cells]));
            const n = number(value);
            assert.deepEqual(
                rows['Texels of A and of B that a fragment fetches'].map((cell) => cell.split('+').map(number)),
                [
                    [n, n / 4],
                    [n / 2, n / 2],
                ],
            );
            for (const error of rows['Greatest relative error, in eight rows'].map(number)) assert.ok(error < 1e-5, `an error of ${error}`);
            for (const time of rows['Time of a product here, in milliseconds'].map(number))
                assert.ok(time > 0 && time < 1e4, `a time of ${time}`);
        },
        async acts(guest) {
            const before = await guest.text('#figure figcaption');
            await guest.page.$eval('#figure svg', (drawing) => drawing.focus());
            await guest.press('ArrowLeft');
            assert.notEqual(await guest.text('#figure figcaption'), before);
        },
    },
    reduction: {
        places: [0, 1, 'last'],
        async holds(guest) {
            const rows = (await rowsOf(guest)).filter((row) => row.length === 4).slice(1);
            const errors = rows.map((row) => number(row[3]));
            assert.ok(errors.length === 3 && errors.every((error) => error < 1e-3), `errors ${errors}`);
            assert.ok(errors[0] > errors[1], 'the loop rounds more than the tree');
        },
    },
    multigrid: {
        places: [0],
        async holds(guest) {
            const steps = (await guest.text('#status')).match(/Multigrid (\d+)/);
            assert.ok(steps && number(steps[1]) <= 15, `the steps of multigrid: ${await guest.text('#status')}`);
        },
    },
    'vertex-program': {
        places: [0, 3, 'last'],
        async holds(guest) {
            assert.match(await guest.text('#simulated'), /The whole program gives/);
            assert.ok((await rowsOf(guest, '#registers')).length > 2, 'registers');
        },
        async acts(guest) {
            for (const program of await guest.page.$$eval('#programs option', (all) => all.map((one) => one.value))) {
                await guest.page.select('#programs', program);
                await guest.until(
                    'the registers',
                    () =>
                        document.querySelectorAll('#registers tr').length > 2 &&
                        !document.querySelector('#figure').hasAttribute('aria-busy'),
                );
                assert.equal(await guest.text('#errors'), '', `errors of ${program}`);
            }
        },
    },
    sat: {
        places: [0, 'last'],
        async holds(guest, value) {
            const [, found, all] =
                (await guest.text('#status')).match(/(\d+) of (\d+) formulas have a model/) ?? assert.fail(await guest.text('#status'));
            if (number(value) === 2) assert.equal(found, all);
            if (number(value) === 8) assert.equal(found, '0');
        },
        async acts(guest) {
            await move(guest, 0);
            await settled(guest);
            for (const [button, said] of [
                ['fresh', null],
                ['one', /1 step/],
                ['hundred', /steps?, of which/],
                ['search', /A model was found/],
            ]) {
                await guest.click(`#${button}`);
                await guest.until(
                    `the end of ${button}`,
                    (button) => !document.querySelector(`#${button}`).hasAttribute('aria-disabled'),
                    button,
                );
                if (said) assert.match(await guest.text('#outcome'), said);
            }
            assert.match(await guest.text('#count'), /this is a model/);
        },
    },
    fft: {
        places: [0, 'last'],
        async holds(guest, value) {
            const [pass, passes] = value.split(' of ').map(number);
            if (pass !== passes) return;
            await guest.until('the comparison', () => document.querySelector('#compared table'));
            const [, ...rows] = await rowsOf(guest, '#compared table');
            for (const row of rows)
                assert.ok(
                    row.slice(-2).every((cell) => number(cell) < 1e-5),
                    `errors ${row}`,
                );
        },
        async acts(guest) {
            await guest.page.select('#sizes', '16');
            await settled(guest);
            assert.match(await guest.text('#slider output'), / of 4$/);
            await guest.click('#larger');
            await guest.until('all rows', () => document.querySelectorAll('#compared tbody tr').length >= 6);
            for (const row of (await rowsOf(guest, '#compared table')).slice(1))
                assert.ok(
                    row.slice(-2).every((cell) => number(cell) < 1e-5),
                    `errors ${row}`,
                );
        },
    },
};

/** Waits until the figure of the lesson has what the slider says. */
async function settled(guest) {
    await guest.until('the figure', () => {
        const [figure, status] = [document.querySelector('#figure'), document.querySelector('#status')];
        return figure && !figure.hasAttribute('aria-busy') && status.innerText.trim() && !/Computing/.test(status.innerText);
    });
    const text = await guest.text('main');
    assert.equal(await guest.seen('#status.bad'), 0, await guest.text('#status'));
    const wrong = text.match(/.{0,40}(\bNaN\b|undefined|\[object|-?\binfinity\b).{0,40}/i);
    assert.equal(wrong, null, `a text of the page: ${wrong?.[0]}`);
}

/** Moves the slider by the keyboard to a place. */
async function move(guest, place) {
    await guest.page.focus('#slider input[type=range]');
    if (place === 'last') return guest.press('End');
    await guest.press('Home', ...Array.from({ length: place }, () => 'ArrowRight'));
}

/** All lessons; `whole` also looks at them closely. */
export async function lessons(label, visitor, { whole }) {
    for (const [name, { places, holds, acts }] of Object.entries(LESSONS)) {
        await test(`${label}: lesson: ${name}`, () =>
            visitor.visit(`/lessons/${name}.html`, async (guest, page) => {
                await settled(guest);
                for (const place of whole ? places : places.slice(0, 1)) {
                    await move(guest, place);
                    await settled(guest);
                    await holds(guest, await guest.text('#slider output'));
                }
                if (!whole) return;
                await acts?.(guest);
                await page.click('.question summary');
                assert.ok((await guest.text('.question details')).length > 100, 'the answer opens');
                await page.setViewport({ width: 360, height: 740 });
                await guest.fits('a phone');
                await guest.accessible(`the lesson ${name}`);
                await guest.screenshot(`lesson-${name}`);
            }));
    }
    if (!whole) return;

    await test(`${label}: lesson: the place of the slider is in the link`, () =>
        visitor.visit('/lessons/stages.html#7', async (guest, page) => {
            await settled(guest);
            assert.equal(await guest.text('#slider output'), '7');
            await move(guest, 2);
            await settled(guest);
            assert.match(page.url(), /#2$/);
        }));

    await test(`${label}: lesson: a shader opens in the playground, and runs`, () =>
        visitor.visit('/lessons/stages.html', async (guest, page) => {
            await settled(guest);
            await Promise.all([page.waitForNavigation(), page.$$eval('#code a', ([link]) => link.click())]);
            await guest.until('steps', () => parseInt(document.querySelector('#iteration')?.textContent) > 0);
            assert.match(await guest.text('.cm-content'), /alpha/);
        }));

    await test(`${label}: lesson: an error in a vertex program has its line`, () =>
        visitor.visit('/lessons/vertex-program.html', async (guest, page) => {
            await settled(guest);
            await page.$eval('#program', (area) => {
                area.value = 'MOV R0, v[1];\nMUV o[1], R0;\n';
                area.dispatchEvent(new Event('input', { bubbles: true }));
            });
            await guest.until('the error', () => /MUV/.test(document.querySelector('#errors').innerText));
            assert.match(await guest.text('#errors'), /line 2/);
        }));

    await test(`${label}: lesson: the list leads to all seven`, () =>
        visitor.visit('/lessons/index.html', async (guest, page) => {
            await guest.until('the links', () => document.querySelectorAll('main a[href$=".html"]').length >= 7);
            const links = await page.$$eval('main a', (all) => all.map((a) => a.pathname.split('/').at(-1)));
            for (const name of Object.keys(LESSONS)) assert.ok(links.includes(`${name}.html`), `a link to ${name}`);
            await guest.accessible('the list of lessons');
            await guest.screenshot('lessons');
        }));
}
