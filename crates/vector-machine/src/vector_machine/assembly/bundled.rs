//! The programs of Thompson, Hahn and Oskin (2002): the files of `programs/`.

use crate::reference::vectors::MULS_FACTORS;
use crate::vector_machine::Semantics;

/// A program of `programs/`.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct BundledProgram {
    /// The file's name without its ending.
    pub name: &'static str,
    /// The file's text.
    pub text: &'static str,
    /// The vectors that it reads, and whether it returns a vector or a scalar.
    pub semantics: Semantics,
    /// The constant registers that it reads.
    pub constants: &'static [(u16, [f32; 4])],
    /// The number of instructions, without those of the framework.
    pub opcodes: usize,
}

/// Builds an entry of the table: the file's name, its semantics, constants and opcodes.
macro_rules! program {
    ($name:literal, $semantics:ident, $constants:expr, $opcodes:literal) => {
        BundledProgram {
            name: $name,
            text: include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/programs/", $name, ".vp")),
            semantics: Semantics::$semantics,
            constants: $constants,
            opcodes: $opcodes,
        }
    };
}

impl BundledProgram {
    /// All programs.
    pub const ALL: [BundledProgram; 11] = [
        program!("arithmetic", VToV, &ARITHMETIC, 13),
        program!("dot", VvToS, &[], 20),
        program!("exp2", VToV, &EXP2, 24),
        program!("exponents", VToV, &[], 49),
        program!("factorial", VToV, &FACTORIAL, 59),
        program!("factorial-2002", VToV, &FACTORIAL, 59),
        program!("log2", VToV, &LOG2, 20),
        program!("muls-10", VToV, &MULS, 10),
        program!("muls-120", VToV, &MULS, 120),
        program!("muls-50", VToV, &MULS, 50),
        program!("sum-of-squares", VToS, &[], 29),
    ];

    /// Returns the program of this name.
    pub fn named(name: &str) -> Option<BundledProgram> {
        Self::ALL.into_iter().find(|program| program.name == name)
    }
}

/// The refinement of LOG: log2 m = t P(t), t = m - 1, the coefficients of P from the lowest up.
#[allow(clippy::excessive_precision, reason = "as the specification has them")]
const LOG2: [(u16, [f32; 4]); 3] = [
    (11, [1.0; 4]),
    (12, [1.44268966, -0.721165776, 0.478684813, -0.347305417]),
    (13, [0.241873696, -0.137531206, 0.0520646796, -0.00931049418]),
];

/// The refinement of EXP: 2^-y, the coefficients from the lowest up.
#[allow(clippy::excessive_precision, reason = "as the specification has them")]
const EXP2: [(u16, [f32; 4]); 2] = [
    (12, [1.0, -0.693147182, 0.240226462, -0.0555036440]),
    (13, [0.00961597636, -0.00132823968, 0.000147491097, -0.0000108635004]),
];

const ARITHMETIC: [(u16, [f32; 4]); 1] =
    [(11, [std::f32::consts::PI, std::f32::consts::LN_2, 0.0, 0.0])];

const FACTORIAL: [(u16, [f32; 4]); 2] = [(11, [1.0; 4]), (12, [2.0; 4])];

const MULS: [(u16, [f32; 4]); 2] = [(11, [MULS_FACTORS[0]; 4]), (12, [MULS_FACTORS[1]; 4])];

/// Writes the program muls of the paper with any number of multiplies, from 1; the paper runs it
/// with 10 to 120. It reads the same constants as the files, whose instructions are those of this
/// function.
pub fn muls(opcodes: usize) -> String {
    let mut text = String::from("!!VP1.0\n");
    for i in 0..opcodes {
        let target = if i + 1 == opcodes { "o[1]" } else { "R1" };
        let source = if i == 0 { "v[1]" } else { "R1" };
        text += &format!("MUL {target}, {source}, c[{}];\n", 11 + i % 2);
    }
    text + "END\n"
}
