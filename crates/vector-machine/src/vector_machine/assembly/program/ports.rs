//! The register files of inputs and of constants have one port each: an instruction reads one
//! register of a file, as often as it likes.

use super::error::Rule;
use super::parser::{Fault, Parsed, Site};
use crate::vector_machine::assembly::isa::{Operand, Register};

/// Refuses two different inputs and two different constants. `c[A0.x + 1]` is not `c[A0.x + 2]`,
/// nor is it `c[1]`, whatever A0.x holds.
pub(super) fn one_register_of_each_file(operands: &[Operand], site: &Site) -> Parsed<()> {
    let (mut input, mut constant) = (None, None);
    for (operand, &at) in operands.iter().zip(&site.operands) {
        let second = operand.register;
        let seen = match second {
            Register::Temporary(_) => continue,
            Register::Input(_) => &mut input,
            Register::Constant(_) | Register::Relative(_) => &mut constant,
        };
        let first = *seen.get_or_insert(second);
        if first != second {
            let rule = match second {
                Register::Input(_) => Rule::TwoInputs { first, second },
                _ => Rule::TwoConstants { first, second },
            };
            return Err(Fault { at, rule });
        }
    }
    Ok(())
}
