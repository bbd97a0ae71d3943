//! Programs as canonical text, which the assembler reads back to the same instructions.

use std::fmt::{Display, Formatter, Result, Write};

use super::DProgram;
use crate::vector_machine::assembly::isa::{
    Destination, INPUT_NAMES, Instruction, OUTPUT_NAMES, Operand, Register,
};

const LETTERS: [char; 4] = ['x', 'y', 'z', 'w'];
const IN_ORDER: [u8; 4] = [0, 1, 2, 3];

impl Display for DProgram {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str("!!VP1.1\n")?;
        for instruction in self.instructions() {
            writeln!(f, "{instruction}")?;
        }
        f.write_str("END\n")
    }
}

impl Display for Instruction {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "{} {}", self.opcode.name(), self.destination)?;
        if self.destination != Destination::Address {
            masked(f, self.mask)?;
        }
        for operand in &self.operands {
            write!(f, ", {operand}")?;
        }
        f.write_char(';')
    }
}

impl Display for Destination {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match *self {
            Destination::Temporary(number) => write!(f, "R{number}"),
            Destination::Output(number) => match OUTPUT_NAMES.get(usize::from(number)) {
                Some(name) => write!(f, "o[{name}]"),
                None => write!(f, "o[{number}]"),
            },
            Destination::Address => f.write_str("A0.x"),
        }
    }
}

impl Display for Operand {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        if self.negated {
            f.write_char('-')?;
        }
        write!(f, "{}", self.register)?;
        let [first, ..] = self.swizzle;
        match self.swizzle {
            IN_ORDER => Ok(()),
            all if all == [first; 4] => components(f, &[first]),
            all => components(f, &all),
        }
    }
}

impl Display for Register {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match *self {
            Register::Temporary(number) => write!(f, "R{number}"),
            // As the paper writes it: quads are counted, and the position is none.
            Register::Input(0) => write!(f, "v[{}]", INPUT_NAMES[0]),
            Register::Input(number) => write!(f, "v[{number}]"),
            Register::Constant(number) => write!(f, "c[{number}]"),
            Register::Relative(0) => f.write_str("c[A0.x]"),
            Register::Relative(offset) => {
                let sign = if offset < 0 { '-' } else { '+' };
                write!(f, "c[A0.x {sign} {}]", offset.unsigned_abs())
            }
        }
    }
}

fn masked(f: &mut Formatter<'_>, mask: [bool; 4]) -> Result {
    if mask == [true; 4] {
        return Ok(());
    }
    let written: Vec<u8> =
        IN_ORDER.into_iter().zip(mask).filter_map(|(index, on)| on.then_some(index)).collect();
    components(f, &written)
}

fn components(f: &mut Formatter<'_>, indices: &[u8]) -> Result {
    f.write_char('.')?;
    let letters = indices.iter().filter_map(|&index| LETTERS.get(usize::from(index)));
    letters.copied().try_for_each(|letter| f.write_char(letter))
}
