//! Instructions that the framework adds to a program, hidden from the programmer.
//!
//! One instruction, `MOV o[HPOS], v[OPOS];`: the position of an invocation is where its result is
//! stored. The vectors' quads come to `v[1]`, `v[2]` ... before the program begins: the vertex
//! fetch loads them, or the shader's first statements do, and neither is an instruction of the
//! program. Results of bytes are scaled by the pixels' format, since a program cannot read its
//! outputs to scale them.

use std::fmt;

use super::DProgram;
use crate::vector_machine::assembly::isa::{Destination, Instruction, Opcode, Operand, Register};
use crate::vector_machine::function::semantics::Semantics;

/// The number of instructions that the framework adds; they count towards the profile's limit.
pub const OWN_INSTRUCTIONS: usize = 1;

/// A program as it runs, with the instructions that the framework adds for a function's semantics.
#[derive(Clone, Debug)]
pub struct Assembled<'a> {
    program: &'a DProgram,
    semantics: Semantics,
    own: [Instruction; OWN_INSTRUCTIONS],
}

/// A quad of a vector, and the register in which a program finds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Read {
    /// The input register.
    pub register: usize,
    /// The vector, from 0.
    pub vector: usize,
    /// The quad, among those of the vector that one invocation reads, from 0.
    pub quad: usize,
}

impl DProgram {
    /// Returns the program with the framework's own instructions and reads around it.
    pub fn assembled(&self, semantics: Semantics) -> Assembled<'_> {
        Assembled { program: self, semantics, own: [position()] }
    }
}

impl<'a> Assembled<'a> {
    /// Returns the programmer's instructions.
    pub fn instructions(&self) -> &'a [Instruction] {
        self.program.instructions()
    }

    /// Returns the framework's instructions, which run before the programmer's.
    pub fn own(&self) -> &[Instruction] {
        &self.own
    }

    /// Returns the number of all instructions, as the profile counts.
    pub fn count(&self) -> usize {
        self.own.len() + self.instructions().len()
    }

    /// Returns the quads that are loaded before an invocation begins, in the order of their
    /// registers.
    pub fn reads(&self) -> Vec<Read> {
        let semantics = self.semantics;
        let of_vector = |vector| {
            let read = move |quad| {
                let register = semantics.register(vector, quad);
                Read { register, vector, quad }
            };
            (0..semantics.quads()).map(read)
        };
        (0..semantics.vectors()).flat_map(of_vector).collect()
    }
}

/// Text that ends each line of the framework with `# framework`; without those lines it parses to
/// the programmer's instructions.
impl fmt::Display for Assembled<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("!!VP1.1\n")?;
        let quads = self.semantics.quads();
        for Read { register, vector, quad } in self.reads() {
            let (vector, quad) = (vector + 1, quad + 1);
            writeln!(f, "# v[{register}]: vector {vector}, quad {quad} of {quads} # framework")?;
        }
        for instruction in self.own() {
            writeln!(f, "{instruction} # framework")?;
        }
        for instruction in self.instructions() {
            writeln!(f, "{instruction}")?;
        }
        f.write_str("END\n")
    }
}

/// Returns the instruction `MOV o[HPOS], v[OPOS];`
fn position() -> Instruction {
    let operand = Operand { register: Register::Input(0), swizzle: [0, 1, 2, 3], negated: false };
    Instruction {
        opcode: Opcode::Mov,
        destination: Destination::Output(0),
        mask: [true; 4],
        operands: vec![operand],
    }
}
