// The instructions of a vertex program as a page steps through them. The engine reads programs by itself, and reports what is wrong in
// them; this only finds where each instruction ends and which registers it names.

const HEADER = /^\s*!!VP1\.[01]/;

/**
 * The instructions of a text in their order: `opcode`, `destination` (`R1`, `o[1]`), `written` (`R1.x`), `operands`, all as texts, the
 * `line` from 1, and `end`, the place behind the semicolon.
 */
export function instructionsOf(program) {
    // Comments and the header become blanks, so that places stay those of the text.
    const blank = (text) => text.replace(/[^\n]/g, ' ');
    const text = program.replace(/#.*/g, blank).replace(HEADER, blank);
    return [...text.matchAll(/[^;]+;/g)].map((match) => instruction(match, text));
}

function instruction({ 0: text, index }, program) {
    const begin = index + text.search(/\S/);
    const [, opcode = '', rest = ''] = text.match(/(\w+)\s+([^;]*);/) ?? [];
    const [written = '', ...operands] = rest.split(',').map((part) => part.trim());
    return {
        opcode,
        written,
        destination: register(written),
        operands,
        line: program.slice(0, begin).split('\n').length,
        end: index + text.length,
    };
}

/** The register that a text names, without sign and components; `o[COL0]` is another name of `o[1]`. */
export function register(text) {
    return text.replace(/^-/, '').replace(/\.[xyzw]+$/, '').replace('COL0', '1');
}

/** Registers of one kind in the order of their numbers: `kind` is `R`, `c` or `v`. */
export function registersOf(instructions, kind) {
    const named = instructions.flatMap(({ written, operands }) => [written, ...operands]).map(register);
    const pattern = kind === 'R' ? /^R(\d+)$/ : new RegExp(`^${kind}\\[(\\d+)\\]$`);
    const numbers = new Set(named.map((name) => name.match(pattern)?.[1]).filter((number) => number !== undefined));
    return [...numbers].map(Number).sort((a, b) => a - b);
}

/** The last of the first `count` instructions that writes a register, counted from 1; 0 where none does. */
export function lastWrite(instructions, count, name) {
    return instructions.slice(0, count).findLastIndex(({ destination }) => destination === name) + 1;
}

/** A program of the first `count` instructions, whose output is what a register holds behind them. */
export function programOf(text, instructions, count, name) {
    const begin = text.slice(0, count ? instructions[count - 1].end : 0);
    const last = name === 'o[1]' ? '' : `MOV o[1], ${name};`;
    return `${begin}\n${last}${HEADER.test(begin) ? '\nEND' : ''}\n`;
}

const EACH = 'each component by itself';

// What an instruction does to d, from its operands a, b and c.
const MEANINGS = {
    ABS: 'd = |a|',
    ADD: 'd = a + b',
    ARL: 'the address register = the floor of a, by which c[A0.x] reads a constant',
    DP3: 'd = ax bx + ay by + az bz, the same in each component',
    DP4: 'd = ax bx + ay by + az bz + aw bw, the same in each component',
    DPH: 'd = ax bx + ay by + az bz + bw, the same in each component',
    DST: 'd = (1, ay by, az, bw), of a distance',
    EXP: 'd = (2 to the floor of a, the rest of a, 2 to the power a, 1)',
    LIT: 'd = (1, max(ax, 0), max(ay, 0) to the power aw if ax > 0 else 0, 1), of a lit surface',
    LOG: 'd = (exponent of a, mantissa of a, log2 |a|, 1)',
    MAD: 'd = a b + c',
    MAX: 'd = the larger of a and b',
    MIN: 'd = the smaller of a and b',
    MOV: 'd = a',
    MUL: 'd = a b',
    RCC: 'd = 1 / a, kept between 2^-64 and 2^64, the same in each component',
    RCP: 'd = 1 / a, the same in each component',
    RSQ: 'd = 1 / the square root of |a|, the same in each component',
    SGE: 'd = 1 where a >= b, and 0 elsewhere',
    SLT: 'd = 1 where a < b, and 0 elsewhere',
    SUB: 'd = a - b',
};

/** A sentence for an instruction: `MUL R5, R3, -c[11]` is "d = a b, each component by itself; d is R5, a is R3, b is -c[11]". */
export function meaning({ opcode, written, operands }) {
    const rule = MEANINGS[opcode];
    if (!rule) return '';
    const each = /component|register|\(/.test(rule) ? '' : `, ${EACH}`;
    const names = operands.map((operand, i) => `${'abc'[i]} is ${operand}`);
    return `${rule}${each}. Here ${[opcode === 'ARL' ? [] : `d is ${written}`, ...names].flat().join(', ')}.`;
}
