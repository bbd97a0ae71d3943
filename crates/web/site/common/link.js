// The state of the playground as the fragment of an address: #1.CHECK.TEXT, where TEXT is JSON, deflated, in base64url, and CHECK
// tells a link that was cut or changed.

const VERSION = '1';
// More than any program of the playground has; a short link may be deflated from any number of bytes.
const MOST_BYTES = 4 << 20;

/** The fragment of a state, `#` included. */
export async function fragmentOf(state) {
    const bytes = await through(new TextEncoder().encode(JSON.stringify(state)), new CompressionStream('deflate-raw'));
    const text = toBase64(bytes);
    return `#${VERSION}.${check(text)}.${text}`;
}

/** The state of a fragment, or nothing if there is none. A wrong one is an error that says what is wrong. */
export async function stateOf(fragment) {
    const text = fragment.replace(/^#/, '');
    if (!text) return undefined;
    const [version, sum, body, ...rest] = text.split('.');
    if (!/^\d+$/.test(version) || sum === undefined || body === undefined || rest.length) {
        throw new Error(`the part behind # is not a state of the playground: expected ${VERSION}.CHECK.TEXT, got "${shortened(text)}"`);
    }
    if (version !== VERSION) throw new Error(`the link has the format ${version}, and this page reads format ${VERSION}`);
    if (check(body) !== sum)
        throw new Error(`the link was cut or changed: it has ${body.length} characters, which do not fit its checksum`);
    try {
        const bytes = await through(fromBase64(body), new DecompressionStream('deflate-raw'));
        return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    } catch (error) {
        throw new Error(`the link cannot be read: ${error.message}`, { cause: error });
    }
}

/**
 * The address of the playground with a shader in it, relative to this page. `settings` are those of `Engine.experiment` without
 * arrays: shader or runFile with files, inputs as rules, uniforms, feedback, size, seed, rate; and `iterate`.
 */
export async function playgroundLink(settings, root = document.documentElement.dataset.root ?? '') {
    return `${root}index.html${await fragmentOf(fromSettings(settings))}`;
}

/** Settings of the engine as a state of the playground. */
export function fromSettings({ shader, name, runFile, files = {}, ...rest }) {
    const main = name ?? (runFile === undefined ? 'shader.frag' : 'program.run.toml');
    return { ...rest, main, files: { [main]: runFile ?? shader, ...files } };
}

async function through(bytes, stream) {
    const parts = [];
    let length = 0;
    for await (const part of partsOf(new Blob([bytes]).stream().pipeThrough(stream))) {
        length += part.length;
        if (length > MOST_BYTES) throw new Error(`it is of a program of more than ${MOST_BYTES >> 20} MiB, which is the limit`);
        parts.push(part);
    }
    return new Uint8Array(await new Blob(parts).arrayBuffer());
}

// Not every browser iterates over a stream.
async function* partsOf(stream) {
    const reader = stream.getReader();
    try {
        for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
    } finally {
        // What is not read is not inflated.
        reader.cancel().catch(() => {});
    }
}

function toBase64(bytes) {
    const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
    return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

const fromBase64 = (text) => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0));

// FNV-1a of 32 bits.
function check(text) {
    let hash = 0x811c9dc5;
    for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
    return (hash >>> 0).toString(36);
}

const shortened = (text) => (text.length > 40 ? `${text.slice(0, 40)}...` : text);
