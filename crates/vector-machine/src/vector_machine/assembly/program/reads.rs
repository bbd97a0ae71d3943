//! The registers that a program reads and writes, with positions.

use std::collections::BTreeSet;

use quadrille::error::Place;

use super::DProgram;
use crate::vector_machine::assembly::isa::{Destination, RESULT, Register, count_of_temporaries};

impl DProgram {
    /// Returns whether it writes any component of `o[1]`, where a function's result is taken from.
    pub fn writes_result(&self) -> bool {
        self.instructions.iter().any(|i| i.destination == Destination::Output(RESULT))
    }

    /// Returns the input registers that it reads, in order, each once.
    pub fn inputs_read(&self) -> impl Iterator<Item = u8> + use<> {
        self.read(|register| match register {
            Register::Input(input) => Some(input),
            _ => None,
        })
        .into_iter()
    }

    /// Returns the constants that it reads by number, in order, each once.
    pub fn constants_read(&self) -> impl Iterator<Item = u16> + use<> {
        self.read(|register| match register {
            Register::Constant(constant) => Some(constant),
            _ => None,
        })
        .into_iter()
    }

    /// Returns whether it reads constants through `A0.x`: any may be meant then.
    pub fn uses_relative(&self) -> bool {
        self.place_of_relative().is_some()
    }

    /// Returns the temporary registers that it needs: those up to the highest that it writes or
    /// reads.
    pub fn temporaries(&self) -> usize {
        count_of_temporaries(&self.instructions)
    }

    /// Returns the position of the first read of an input.
    pub fn place_of_input(&self, input: u8) -> Option<Place> {
        self.place_of(|register| register == Register::Input(input))
    }

    /// Returns the position of the first read of a constant by number.
    pub fn place_of_constant(&self, constant: u16) -> Option<Place> {
        self.place_of(|register| register == Register::Constant(constant))
    }

    /// Returns the position of the first read of a constant through `A0.x`.
    pub fn place_of_relative(&self) -> Option<Place> {
        self.place_of(|register| matches!(register, Register::Relative(_)))
    }

    fn read<T: Ord>(&self, number: impl Fn(Register) -> Option<T>) -> BTreeSet<T> {
        let operands = self.instructions.iter().flat_map(|i| &i.operands);
        operands.filter_map(|operand| number(operand.register)).collect()
    }

    fn place_of(&self, wanted: impl Fn(Register) -> bool) -> Option<Place> {
        for (index, instruction) in self.instructions.iter().enumerate() {
            if let Some(operand) = instruction.operands.iter().position(|o| wanted(o.register)) {
                return self.place_of_operand(index, operand);
            }
        }
        None
    }
}
