// Files that a person gives: texts go to the editor, arrays and pictures are kept here by their names, and in the browser's storage
// so that a reload loses nothing. Samples come with the site.
import plate from '../../../../docs/plate.png';

const TEXTS = /\.(frag|glsl|fs|vs|vert|comp|toml|txt)$/i;
const ARRAYS = /\.(npy|png|jpe?g|csv)$/i;
// Above this the tab of a browser is at its end.
const MOST_BYTES = 512 * 1024 * 1024;

/** Pictures that come with the site, by name. */
const SAMPLES = { 'plate.png': plate };
export const sampleNames = Object.keys(SAMPLES);

export const isText = (name) => TEXTS.test(name);
export const isArray = (name) => ARRAYS.test(name);

const held = new Map();
// Why a file was not taken, by its name.
const refused = new Map();

/** Why the file of this name was not taken, if it was not. */
export const refusalOf = (name) => refused.get(name);

/** Marks a file as one that was not taken, so that nothing of that name is used. */
export function refuse(name, why) {
    held.delete(name);
    refused.set(name, `the file "${name}" was refused: ${why}`);
}

/** Takes the bytes of a file that a person gave, after a look at its name and length. */
export async function take(file) {
    if (!isArray(file.name)) {
        throw new Error(`expected a .npy, .png, .jpg or .csv file, got "${file.name}"`);
    }
    if (file.size > MOST_BYTES) throw new Error(`expected at most ${MOST_BYTES} bytes, got ${file.size} in "${file.name}"`);
    const bytes = new Uint8Array(await file.arrayBuffer());
    held.set(file.name, bytes);
    refused.delete(file.name);
    await remember(file.name, bytes);
    return file.name;
}

/** The bytes of `file:NAME` or `sample:NAME`, or nothing where they are to be given again. */
export async function bytesOf(rule) {
    const [kind, name] = [rule.slice(0, rule.indexOf(':')), rule.slice(rule.indexOf(':') + 1)];
    if (kind === 'file') return held.get(name);
    if (!Object.hasOwn(SAMPLES, name)) throw new Error(`the site has no sample "${name}"; it has ${sampleNames.join(', ')}`);
    const address = new URL(SAMPLES[name], import.meta.url);
    const answer = await fetch(address);
    if (!answer.ok) throw new Error(`the sample "${name}" did not come: ${answer.status}`);
    return new Uint8Array(await answer.arrayBuffer());
}

export const isHeld = (rule) => !rule.startsWith('file:') || held.has(rule.slice(5));

/** All rules of a state. */
export const rulesOf = ({ inputs, given }) => [...Object.values(inputs), ...Object.values(given)];

/** Brings back the files of the last visit that these rules name, and forgets the others. */
export async function recall(rules) {
    const names = new Set(rules.filter((rule) => rule.startsWith('file:')).map((rule) => rule.slice(5)));
    const stored = await shelf('readonly', (store) => store.getAllKeys()).catch(() => []);
    for (const name of stored) {
        if (!names.has(name)) await shelf('readwrite', (store) => store.delete(name)).catch(() => {});
        else if (!held.has(name)) held.set(name, (await shelf('readonly', (store) => store.get(name))).bytes);
    }
}

// One file of each name; private windows may have no storage, and then a reload asks for the file again.
const remember = (name, bytes) => shelf('readwrite', (store) => store.put({ name, bytes })).catch(() => {});

function shelf(mode, use) {
    return new Promise((resolve, reject) => {
        const opening = indexedDB.open('quadrille', 1);
        opening.onupgradeneeded = () => opening.result.createObjectStore('files', { keyPath: 'name' });
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
            const request = use(opening.result.transaction('files', mode).objectStore('files'));
            request.onsuccess = () => resolve(request.result);
            request.onerror = () => reject(request.error);
            request.transaction.oncomplete = () => opening.result.close();
        };
    });
}

/** Lets the browser save bytes or a text under a name. */
export function save(name, content) {
    const address = URL.createObjectURL(new Blob([content]));
    const link = document.createElement('a');
    Object.assign(link, { href: address, download: name.split('/').at(-1) });
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** Makes an element take dropped files; `over` is the class while something hangs above it. */
export function droppable(element, taken) {
    const over = (on) => element.classList.toggle('over', on);
    element.addEventListener('dragover', (event) => {
        if (!event.dataTransfer.types.includes('Files')) return;
        event.preventDefault();
        event.stopPropagation();
        over(true);
    });
    element.addEventListener('dragleave', () => over(false));
    element.addEventListener('drop', (event) => {
        if (!event.dataTransfer.files.length) return;
        event.preventDefault();
        event.stopPropagation();
        over(false);
        taken([...event.dataTransfer.files]);
    });
}
