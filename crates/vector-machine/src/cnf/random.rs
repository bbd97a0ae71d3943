//! Random formulas, for tests and benches.

use quadrille::data::SplitMix64;
use quadrille::memory;

use crate::cnf::error::{Error, Result};
use crate::cnf::{Cnf, variable};

/// Makes a uniform random formula: each clause has `length` different variables, each negated at
/// random. The same seed gives the same formula.
///
/// At three literals a clause those with fewer than 4.2 clauses a variable mostly have a model,
/// those with more than 4.3 mostly none, and those between are hard (Mitchell, Selman, Levesque,
/// "Hard and Easy Distributions of SAT Problems", 1992).
///
/// # Errors
/// A clause would need more variables than there are, or the formula is larger than [`Cnf`] holds.
pub fn random_cnf(variables: usize, clauses: usize, length: usize, seed: u64) -> Result<Cnf> {
    generate(variables, clauses, length, seed, |_| true)
}

/// Makes a random formula of clauses that a hidden assignment satisfies, and returns the assignment
/// too. These are easier than uniform ones.
///
/// # Errors
/// As [`random_cnf`].
pub fn planted_cnf(
    variables: usize,
    clauses: usize,
    length: usize,
    seed: u64,
) -> Result<(Cnf, Vec<bool>)> {
    Cnf::empty(variables)?;
    let mut generator = SplitMix64::new(!seed);
    let random = (0..variables).map(|_| generator.next() & 1 == 1);
    let hidden: Vec<bool> = memory::collected(variables, random)?;
    let holds = |clause: &[i32]| clause.iter().any(|&l| hidden[variable(l) - 1] == (l > 0));
    let cnf = generate(variables, clauses, length, seed, holds)?;
    Ok((cnf, hidden))
}

fn generate(
    variables: usize,
    clauses: usize,
    length: usize,
    seed: u64,
    keep: impl Fn(&[i32]) -> bool,
) -> Result<Cnf> {
    let mut cnf = Cnf::empty(variables)?;
    if clauses > 0 && !(1..=variables).contains(&length) {
        return Err(Error::ClauseLength { length, variables });
    }
    let mut generator = SplitMix64::new(seed);
    let mut clause: Vec<i32> = Vec::new();
    while cnf.len() < clauses {
        clause.clear();
        while clause.len() < length {
            let random = generator.next();
            let drawn = (random >> 1) % variables as u64 + 1;
            if clause.iter().all(|&literal| variable(literal) as u64 != drawn) {
                clause.push(if random & 1 == 0 { drawn as i32 } else { -(drawn as i32) });
            }
        }
        if keep(&clause) {
            cnf.push(&clause)?;
        }
    }
    Ok(cnf)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_of_the_asked_size_and_those_of_their_seed() {
        let (cnf, hidden) = planted_cnf(17, 100, 3, 5).unwrap();
        assert_eq!((cnf.variables(), cnf.len(), cnf.literals().len()), (17, 100, 300));
        assert_eq!(hidden.len(), 17);
        assert_eq!(cnf.simplified().unwrap().len(), 100);
        let uniform = random_cnf(17, 100, 3, 5).unwrap();
        assert_eq!(uniform, random_cnf(17, 100, 3, 5).unwrap());
        assert_ne!(uniform, random_cnf(17, 100, 3, 6).unwrap());
    }

    #[test]
    fn clauses_longer_than_there_are_variables_are_refused() {
        assert_eq!(random_cnf(2, 1, 3, 0), Err(Error::ClauseLength { length: 3, variables: 2 }));
        assert!(random_cnf(2, 1, 0, 0).is_err() && random_cnf(2, 0, 3, 0).is_ok());
    }
}
