// Vertex programs to step through, with what their inputs and constants hold.

const TURN = `SGE R3, R2, c[12];    # 1 where a number is still to be multiplied
SLT R4, R2, c[12];    # 1 where not
MUL R5, R3, -c[11];
ADD R2, R2, R5;       # the next number
MUL R6, R3, R2;
MUL R7, R1, R6;
MUL R8, R1, R4;
ADD R1, R7, R8;       # multiplied, or as it was
`;

const FACTORIAL = `!!VP1.0
MOV R1, v[1];         # the result
MOV R2, v[1];         # the number to multiply by

# First turn
${TURN}
# Second turn
${TURN}
# Third turn
${TURN}
MOV o[1], R1;
END
`;

const PARABOLA = `# 0.5 x^2 + x
MUL R0, v[1], v[1];
MAD o[1], R0, c[11], v[1];
`;

const POWER = `# x^10 by four products: 10 = 8 + 2
MUL R1, v[1], v[1];   # x^2
MUL R2, R1, R1;       # x^4
MUL R2, R2, R2;       # x^8
MUL o[1], R2, R1;
`;

const LENGTH = `# Each vector divided by its length
DP4 R1, v[1], v[1];   # the square of the length
RSQ R2, R1.x;         # 1 / length
MUL o[1], v[1], R2;
`;

// By numbers of the registers: v[1] is the second element.
const at = (number, values) => ({ [number]: values });

export const PROGRAMS = [
    { name: 'factorial, three turns', text: FACTORIAL, v: at(1, [1, 2, 3, 4]), c: { ...at(11, [1, 1, 1, 1]), ...at(12, [2, 2, 2, 2]) } },
    { name: 'parabola', text: PARABOLA, v: at(1, [1, 2, 3, 4]), c: at(11, [0.5, 0.5, 0.5, 0.5]) },
    { name: 'tenth power', text: POWER, v: at(1, [1, 1.5, 2, -2]), c: {} },
    { name: 'unit vector', text: LENGTH, v: at(1, [1, 2, 2, 4]), c: {} },
];
