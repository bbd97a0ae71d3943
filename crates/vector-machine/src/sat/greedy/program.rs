//! The search's function as a vertex program of the time, clauses to satisfied clauses, v -> s.
//!
//! A clause is a quad whose x, y and z are its literals, w is not used, and a literal is a place
//! among the constants: c\[48 + v\] is the value of variable v, c\[48 - v\] is 1 less that. The
//! paper gives no encoding; this one fits its machine: 96 constants hold 47 variables, and 15
//! clauses an invocation take 105 of 128 instructions. More variables take several sets of
//! constants (`groups.rs`). The literal 0, which pads clauses and vectors, reads c\[48\] = 0, which
//! satisfies nothing.

use std::fmt::Write;

/// The most variables that a set of constants holds.
pub const MAX_VARIABLES: usize = 47;

/// The most literals of a clause.
pub(super) const LITERALS: usize = 3;

/// The middle constant.
pub(super) const MIDDLE: usize = 48;

/// Returns the program: for 15 clauses in v\[1\] to v\[15\], the number of those that hold in the x
/// of the result.
pub fn constants_program() -> String {
    let mut text = String::from("!!VP1.0\n# Satisfied clauses of 15.\n");
    for clause in 1..=15 {
        let sum = if clause == 15 { "o[1].x" } else { "R0.x" };
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            "\
ARL A0.x, v[{clause}].x;
MOV R1.x, c[A0.x + {MIDDLE}];
ARL A0.x, v[{clause}].y;
MAX R1.x, R1.x, c[A0.x + {MIDDLE}];
ARL A0.x, v[{clause}].z;
MAX R1.x, R1.x, c[A0.x + {MIDDLE}];
ADD {sum}, R0.x, R1.x;
"
        );
    }
    text + "END\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_has_the_instructions_of_fifteen_clauses() {
        let text = constants_program();
        assert_eq!(text.matches(';').count(), 105);
        assert_eq!(text.matches("o[1].x").count(), 1);
        assert!(text.contains("ARL A0.x, v[15].z;\n"));
    }
}
