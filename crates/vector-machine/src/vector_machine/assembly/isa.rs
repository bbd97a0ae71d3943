//! The instruction set: opcodes, registers, operands, as `GL_NV_vertex_program` and
//! `GL_NV_vertex_program1_1` define them.

use std::collections::BTreeSet;

use crate::named::named_enum;

named_enum! {
    /// The 21 instructions: those of version 1.0, then those that 1.1 adds.
    #[derive(Hash)]
    #[allow(missing_docs)] // Named as in the assembly; `Opcode::meaning` says what each does.
    #[non_exhaustive]
    pub enum Opcode {
        Arl => "ARL",
        Mov => "MOV",
        Mul => "MUL",
        Add => "ADD",
        Mad => "MAD",
        Rcp => "RCP",
        Rsq => "RSQ",
        Dp3 => "DP3",
        Dp4 => "DP4",
        Dst => "DST",
        Min => "MIN",
        Max => "MAX",
        Slt => "SLT",
        Sge => "SGE",
        Exp => "EXP",
        Log => "LOG",
        Lit => "LIT",
        Dph => "DPH",
        Rcc => "RCC",
        Sub => "SUB",
        Abs => "ABS",
    }
}

impl Opcode {
    /// Returns how many operands it reads.
    pub fn operands(self) -> usize {
        match self {
            Opcode::Mad => 3,
            Opcode::Mul
            | Opcode::Add
            | Opcode::Sub
            | Opcode::Dp3
            | Opcode::Dp4
            | Opcode::Dph
            | Opcode::Dst
            | Opcode::Min
            | Opcode::Max
            | Opcode::Slt
            | Opcode::Sge => 2,
            _ => 1,
        }
    }

    /// Returns whether its operand is one component, which must be named: `R1.x`.
    pub fn is_scalar(self) -> bool {
        matches!(
            self,
            Opcode::Arl | Opcode::Rcp | Opcode::Rcc | Opcode::Rsq | Opcode::Exp | Opcode::Log
        )
    }

    /// Returns whether version 1.1 added it.
    pub fn is_of_1_1(self) -> bool {
        matches!(self, Opcode::Dph | Opcode::Rcc | Opcode::Sub | Opcode::Abs)
    }
}

/// The inputs' other names, by number; 6 and 7 have none.
pub const INPUT_NAMES: [&str; 16] = [
    "OPOS", "WGHT", "NRML", "COL0", "COL1", "FOGC", "", "", "TEX0", "TEX1", "TEX2", "TEX3", "TEX4",
    "TEX5", "TEX6", "TEX7",
];

/// The outputs' names, by number.
pub const OUTPUT_NAMES: [&str; 15] = [
    "HPOS", "COL0", "COL1", "BFC0", "BFC1", "FOGC", "PSIZ", "TEX0", "TEX1", "TEX2", "TEX3", "TEX4",
    "TEX5", "TEX6", "TEX7",
];

/// The output that holds a function's result: `o[1]`, which is `o[COL0]`.
pub const RESULT: u8 = 1;

/// The source of an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Register {
    /// A temporary register, `R0`, `R1` ..., which begins with zeros.
    Temporary(u16),
    /// An input register, `v[0]` to `v[15]`.
    Input(u8),
    /// A constant register, `c[0]` ...
    Constant(u16),
    /// The constant register `c[A0.x + offset]`; the offset may be negative.
    Relative(i16),
}

/// An operand: a register, its components in some order, perhaps negated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Operand {
    /// The register.
    pub register: Register,
    /// The component at each position: 0 is x, 3 is w. A scalar operand repeats one four times.
    pub swizzle: [u8; 4],
    /// Whether the components are negated.
    pub negated: bool,
}

/// The destination of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Destination {
    /// A temporary register, `R0`, `R1` ...
    Temporary(u16),
    /// An output register, `o[0]` to `o[14]`, which begins with (0, 0, 0, 1).
    Output(u8),
    /// The address register `A0.x`, which only ARL writes.
    Address,
}

/// An instruction of a vertex program.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Instruction {
    /// The operation.
    pub opcode: Opcode,
    /// The destination of the result.
    pub destination: Destination,
    /// The components of the destination that are written, x first. Only x may be written for the
    /// address register.
    pub mask: [bool; 4],
    /// The operands, as many as the opcode has.
    pub operands: Vec<Operand>,
}

/// Returns the temporary registers that instructions read or write.
pub(crate) fn temporaries(instructions: &[Instruction]) -> BTreeSet<u16> {
    let read = instructions.iter().flat_map(|instruction| &instruction.operands);
    let read = read.filter_map(|operand| match operand.register {
        Register::Temporary(number) => Some(number),
        _ => None,
    });
    let written = instructions.iter().filter_map(|instruction| match instruction.destination {
        Destination::Temporary(number) => Some(number),
        _ => None,
    });
    read.chain(written).collect()
}

/// Returns how many temporary registers instructions need, up to the highest.
pub(crate) fn count_of_temporaries(instructions: &[Instruction]) -> usize {
    temporaries(instructions).last().map_or(0, |highest| usize::from(*highest) + 1)
}
