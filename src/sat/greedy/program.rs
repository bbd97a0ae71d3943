//! The search's function as a vertex program of the time, clauses to satisfied clauses, v -> s.
//!
//! A clause is a quad whose x, y and z are its literals, w is not used, and a literal is a place among
//! the constants: c\[48 + v\] is the value of variable v, c\[48 - v\] is 1 less that. The paper gives no
//! encoding; this one fits its machine: 96 constants hold 47 variables, and 15 clauses an invocation
//! take 105 of 128 instructions. The literal 0, which pads clauses and vectors, reads c\[48\] = 0, which
//! satisfies nothing.

use std::fmt::Write;

use crate::data::Cnf;
use crate::memory::{self, NoMemory};

/// The most variables that the constants hold.
pub const MAX_VARIABLES: usize = 47;

/// The middle constant.
const MIDDLE: usize = 48;

/// The program: for 15 clauses in v\[1\] to v\[15\], the number of those that hold in the x of the result.
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

/// The x of the constants for an assignment; none for more variables than there is room for.
pub fn constants(assignment: &[bool]) -> Option<[f32; 2 * MIDDLE]> {
    let mut constants = [0.0; 2 * MIDDLE];
    if assignment.len() > MAX_VARIABLES {
        return None;
    }
    for (v, &value) in (1..).zip(assignment) {
        constants[MIDDLE + v] = f32::from(u8::from(value));
        constants[MIDDLE - v] = f32::from(u8::from(!value));
    }
    Some(constants)
}

/// The clauses as quads, to be padded with 0, as a solver needs them: literals once, and without the
/// clauses that are always true, which the caller must add. None if a clause has more than three
/// literals or there are too many variables.
///
/// # Errors
/// If there is no memory for the quads.
pub fn quads(cnf: &Cnf) -> Result<Option<Vec<f32>>, NoMemory> {
    if cnf.variables() > MAX_VARIABLES {
        return Ok(None);
    }
    let cnf = cnf.simplified()?;
    let quad = |clause: &[i32]| {
        [0, 1, 2, 3].map(|place| clause.get(place).map_or(0.0, |&literal| literal as f32))
    };
    let all = cnf.clauses().all(|clause| clause.len() <= 3);
    all.then(|| memory::collected(4 * cnf.len(), cnf.clauses().flat_map(quad))).transpose()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use crate::data::random_cnf;
    use crate::reference::sat::satisfied;

    /// The program's count for one clause, in plain Rust.
    fn holds(quad: &[f32], constants: &[f32]) -> f32 {
        let read = |literal: f32| constants[(literal + 48.0) as usize];
        read(quad[0]).max(read(quad[1])).max(read(quad[2]))
    }

    #[test]
    fn constants_and_quads_give_the_count() {
        for length in 1..=3 {
            let cnf = random_cnf(47, 200, length, 8).unwrap();
            let quads = quads(&cnf).unwrap().unwrap();
            let assignment: Vec<bool> = (0..47).map(|v| v * v % 7 < 3).collect();
            let constants = constants(&assignment).unwrap();
            let sum: f32 = quads.chunks(4).map(|quad| holds(quad, &constants)).sum();
            assert_eq!(sum as usize, satisfied(&cnf, &assignment));
            assert_eq!(holds(&[0.0; 4], &constants), 0.0, "padding satisfies nothing");
        }
    }

    #[test]
    fn the_program_has_the_instructions_of_fifteen_clauses() {
        let text = constants_program();
        assert_eq!(text.matches(';').count(), 105);
        assert_eq!(text.matches("o[1].x").count(), 1);
        assert!(text.contains("ARL A0.x, v[15].z;\n"));
    }

    #[test]
    fn literals_come_once_and_clauses_that_are_always_true_not_at_all() {
        let cnf = Cnf::new(4, [&[4, 2, 3, 4][..], &[1, 2, -1, 3], &[-2, -2]]).unwrap();
        assert_eq!(quads(&cnf).unwrap().unwrap(), [2.0, 3.0, 4.0, 0.0, -2.0, 0.0, 0.0, 0.0]);
    }

    #[test]
    fn what_does_not_fit_the_constants_is_none() {
        assert_eq!(quads(&random_cnf(48, 9, 3, 1).unwrap()), Ok(None));
        assert_eq!(quads(&random_cnf(20, 9, 4, 1).unwrap()), Ok(None));
        assert!(constants(&[true; 48]).is_none() && constants(&[true; 47]).is_some());
    }
}
