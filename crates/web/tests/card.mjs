// The page of the accuracy card.
import assert from 'node:assert/strict';
import { test } from './report.mjs';

export async function card(label, visitor) {
    await test(`${label}: card: is made, stands beside others, and is saved`, () =>
        visitor.visit('/card.html', async (guest, page) => {
            const columns = () => page.$eval('#table', (table) => table.querySelectorAll('tr:first-child th').length);
            assert.ok((await columns()) > 1, 'other devices stand there before');
            await guest.click('#measure');
            await guest.until('the card', () => /is complete/.test(document.querySelector('#status').innerText), null, 60_000);
            assert.doesNotMatch(await guest.text('main'), /\bundefined\b|\bNaN ULP\b|\[object/);
            assert.ok((await guest.seen('#sections li')) > 5, 'sentences');
            const card = JSON.parse(await guest.saved('#download', 'card.json'));
            assert.ok(card.accuracy.length > 5 && card.verdicts.length > 0, 'the card has rows and sentences');
            const rows = await guest.seen('#table tr');
            await guest.click('#different');
            assert.ok((await guest.seen('#table tr')) < rows, 'fewer rows differ');
            await page.select('#column', 'mean');
            await page.setViewport({ width: 360, height: 740 });
            await guest.fits('the card on a phone');
            await guest.accessible('the card');
            await guest.screenshot('card');
            return `${card.accuracy.length} rows`;
        }));

    await test(`${label}: card: is stopped, and made after that`, () =>
        visitor.visit('/card.html', async (guest) => {
            await guest.click('#measure');
            await guest.until(
                'the measurement',
                () => document.querySelector('#stop').checkVisibility() && document.querySelector('#progress').value > 0,
            );
            await guest.click('#stop');
            await guest.until('the end', () => /Stopped/.test(document.querySelector('#status').innerText));
            await guest.click('#measure');
            await guest.until('the card', () => /is complete/.test(document.querySelector('#status').innerText), null, 60_000);
        }));
}
