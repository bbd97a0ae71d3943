// What the dialects of other sites say of a shader's inputs and uniforms, beyond what the engine reports: what need not be given, the
// values to begin with, and the ends of sliders.

/** The names of the dialects, as people know them. */
export const NAMES = { shadertoy: 'a Shadertoy', sandbox: 'a GLSL Sandbox', legacy: 'a WebGL 1 or GLSL 1.20', isf: 'an ISF' };

// Uniforms that the engine sets by itself: in every dialect, and in those of other sites.
const OWN = ['iteration', 'repetition', 'size'];
const SHADERTOY = 'Resolution Time TimeDelta Frame FrameRate SampleRate ChannelTime ChannelResolution Mouse Date';
const SUPPLIED = {
    shadertoy: SHADERTOY.split(' ').map((name) => `i${name}`),
    sandbox: ['resolution', 'time', 'mouse', 'u_resolution', 'u_time', 'u_mouse', 'surfaceSize'],
    isf: ['RENDERSIZE', 'TIME', 'TIMEDELTA', 'FRAMEINDEX', 'PASSINDEX', 'DATE'],
};

/** Whether the engine sets a uniform by itself, in this dialect. */
export const isSupplied = (name, dialect) => OWN.includes(name) || (Object.hasOwn(SUPPLIED, dialect) && SUPPLIED[dialect].includes(name));

const BEFORE = 'what the step before computed, 0 at first';

/** Inputs with `from`: the text of what they hold when nobody gives anything; absent where something must be given. */
export function describedInputs({ inputs, dialect }, text) {
    const header = dialect === 'isf' ? headerOf(text) : undefined;
    return inputs.map((input) => {
        if (input.from !== undefined) return { ...input, from: `as the run file says: ${input.from}` };
        const kept =
            (dialect === 'sandbox' && input.name === 'backbuffer') || header?.PASSES?.some?.(({ TARGET }) => TARGET === input.name);
        return kept ? { ...input, from: BEFORE } : input;
    });
}

/** Uniforms with `value` and `range` as an ISF header has them. */
export function describedUniforms({ uniforms, dialect }, text) {
    if (dialect !== 'isf') return uniforms;
    const { INPUTS } = headerOf(text);
    const inputs = new Map(Array.isArray(INPUTS) ? INPUTS.map((input) => [input.NAME, input]) : []);
    return uniforms.map((uniform) => ({ ...uniform, ...factsOf(inputs.get(uniform.name)) }));
}

function factsOf(input) {
    if (!input) return {};
    const { DEFAULT: first = input.VALUES?.[0], MIN: low, MAX: high } = input;
    const isRange = typeof low === 'number' && typeof high === 'number' && low < high;
    return { value: first === undefined ? undefined : [first].flat().join(','), range: isRange ? [low, high] : undefined };
}

// The header is a comment with JSON at the beginning. The engine reads it by itself, and says what is wrong in it.
function headerOf(text) {
    try {
        return JSON.parse(text.match(/\/\*([^]*?)\*\//)[1]) ?? {};
    } catch {
        return {};
    }
}
