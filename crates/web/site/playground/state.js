// What the playground remembers: texts, inputs, uniforms and view. It is plain JSON, so that it fits into a link and into the
// browser's storage; arrays and pictures are not in it, only the names of their files.

const KEY = 'quadrille.playground';
const EARLIER = 'quadrille.playground.earlier';

/** A state in which everything is left to the engine. */
export const EMPTY = {
    /** Texts by file name; `main` is the one that is run. */
    files: {},
    main: '',
    /** Rules such as `random:64x48`, `file:NAME` of an uploaded file, or `sample:NAME`. */
    inputs: {},
    /** Files that are no texts and that a run file names, by rules as above. */
    given: {},
    uniforms: {},
    /** The ends of sliders. */
    ranges: {},
    feedback: {},
    size: null,
    /** Where a run ends by itself. */
    iterate: null,
    /** Steps a frame. */
    pace: 1,
    seed: null,
    rate: null,
    dialect: null,
    wrap: null,
    filter: null,
    flip: null,
    view: { output: null, channel: null, held: null, histogram: false },
};

const isTable = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const isNumber = (value) => typeof value === 'number' && Number.isFinite(value);
const isText = (value) => typeof value === 'string';
const isPair = (value) => Array.isArray(value) && value.length === 2 && value.every(isNumber);
const isValue = (value) =>
    isNumber(value) ||
    typeof value === 'boolean' ||
    isText(value) ||
    (Array.isArray(value) && value.every((part) => isNumber(part) || typeof part === 'boolean'));
const isCount = (value) => Number.isInteger(value) && value > 0;

const tableOf = (fits) => (value) => isTable(value) && Object.values(value).every(fits);
const orNull = (fits) => (value) => value === null || fits(value);

const FITS = {
    files: tableOf(isText),
    main: isText,
    inputs: tableOf(isText),
    given: tableOf(isText),
    uniforms: tableOf(isValue),
    ranges: tableOf(isPair),
    feedback: tableOf(isText),
    size: orNull((value) => isPair(value) && value.every(isCount)),
    iterate: orNull(isCount),
    pace: isCount,
    seed: orNull(isNumber),
    rate: orNull(isNumber),
    dialect: orNull(isText),
    wrap: orNull(isText),
    filter: orNull(isText),
    flip: orNull((value) => typeof value === 'boolean'),
    view: isTable,
};
const VIEW_FITS = {
    output: orNull(isText),
    channel: orNull((value) => value === 'colour' || (Number.isInteger(value) && value >= 0 && value < 4)),
    held: orNull(isPair),
    histogram: (value) => typeof value === 'boolean',
};

/** A state from JSON that anybody may have written. What does not fit is an error, what is not known is left out. */
export function cleaned(raw) {
    if (!isTable(raw)) throw new Error('expected a state of the playground, got something else');
    const state = picked(raw, FITS, EMPTY);
    state.view = picked(state.view, VIEW_FITS, EMPTY.view);
    const names = Object.keys(state.files);
    if (!names.length) throw new Error('the state has no shader');
    if (!Object.hasOwn(state.files, state.main)) [state.main] = names;
    return withOwnNamesAlone(structuredClone(state));
}

// Tables whose keys are names of files, inputs and uniforms: a shader may call one `constructor`, which other objects have by themselves.
function withOwnNamesAlone(state) {
    for (const key of ['files', 'inputs', 'given', 'uniforms', 'ranges', 'feedback'])
        state[key] = Object.assign(Object.create(null), state[key]);
    return state;
}

function picked(raw, fits, standard) {
    const found = { ...standard };
    for (const [key, fit] of Object.entries(fits)) {
        if (!Object.hasOwn(raw, key) || raw[key] === undefined) continue;
        if (!fit(raw[key]))
            throw new Error(`"${key}" of the state has a value of another kind than expected: ${JSON.stringify(raw[key]).slice(0, 60)}`);
        found[key] = raw[key];
    }
    return found;
}

/** Whether two states are the same. */
export const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

/** Keeps the state for a reload, with the address that it came from, whether a person has changed it since,
 * and whether it gave a result. */
export function keep(state, address, touched, answered) {
    store(KEY, { state, address, touched, answered });
}

/** What was kept: `{ state, address, touched, answered }`, or nothing. */
export const kept = () => load(KEY);

/** Keeps what another state is about to replace. */
export const keepEarlier = (state) => store(EARLIER, { state });
export const earlier = () => load(EARLIER)?.state;

// Storage may be full or forbidden; the page works without it.
function store(key, value) {
    try {
        localStorage.setItem(key, JSON.stringify(value));
    } catch {
        // A reload then begins anew.
    }
}

function load(key) {
    try {
        const found = JSON.parse(localStorage.getItem(key));
        return found && { ...found, state: cleaned(found.state) };
    } catch {
        return undefined;
    }
}
