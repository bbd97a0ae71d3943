// What the dialects of other sites say of a shader's inputs and uniforms, beyond what the engine reports: what need not be given, the
// values to begin with, and the ends of sliders.

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
