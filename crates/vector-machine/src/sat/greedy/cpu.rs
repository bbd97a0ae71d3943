//! Counting on one core.

use quadrille::memory::{self, NoMemory};

use super::super::Result;
use super::Evaluator;
use crate::cnf::Cnf;

/// Clauses as indices into a table of all literals' values, so that a clause of up to three
/// literals is three reads and two ors, without a branch.
pub struct CpuEvaluator {
    short: Vec<[u32; 3]>,
    long: Vec<Vec<u32>>,
    /// For each literal, 1 if it holds; index 0 belongs to no literal, and never holds.
    holds: Vec<u8>,
}

impl CpuEvaluator {
    /// Makes the evaluator of a formula of any kind.
    ///
    /// # Errors
    /// If there is no memory for the clauses.
    pub fn new(cnf: &Cnf) -> Result<CpuEvaluator, NoMemory> {
        let (mut short, mut long) = (Vec::new(), Vec::new());
        for clause in cnf.clauses() {
            if clause.len() <= 3 {
                let at = |i: usize| clause.get(i).map_or(0, |&literal| place(literal));
                memory::push(&mut short, [at(0), at(1), at(2)])?;
            } else {
                let places = clause.iter().map(|&literal| place(literal));
                memory::push(&mut long, memory::collected(clause.len(), places)?)?;
            }
        }
        Ok(CpuEvaluator { short, long, holds: memory::zeroed(2 * cnf.variables() + 1)? })
    }
}

impl Evaluator for CpuEvaluator {
    fn satisfied(&mut self, assignment: &[bool]) -> Result<usize> {
        for (pair, &value) in self.holds[1..].chunks_exact_mut(2).zip(assignment) {
            pair.copy_from_slice(&[u8::from(value), u8::from(!value)]);
        }
        let holds = |place: u32| self.holds[place as usize];
        let short = self.short.iter().map(|&[a, b, c]| usize::from(holds(a) | holds(b) | holds(c)));
        let long = self.long.iter().filter(|clause| clause.iter().any(|&l| holds(l) == 1));
        Ok(short.sum::<usize>() + long.count())
    }
}

/// Returns the index of a literal in the table. The indices of v and of its negation are adjacent.
fn place(literal: i32) -> u32 {
    2 * literal.unsigned_abs() - u32::from(literal > 0)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::super::super::{Answer, Limits};
    use super::super::solve;
    use super::*;
    use crate::cnf::random_cnf;
    use crate::cnf::satisfied;
    use crate::sat::Error;

    /// Reports the same count for every assignment.
    struct Liar(usize);

    impl Evaluator for Liar {
        fn satisfied(&mut self, _: &[bool]) -> Result<usize> {
            Ok(self.0)
        }
    }

    #[test]
    fn an_assignment_that_is_called_a_model_and_is_none_is_an_error() {
        let cnf = random_cnf(9, 200, 3, 1).unwrap();
        let limits = Limits { flips: 10, restarts: 0 };
        let search = |told| solve(&cnf, &mut Liar(told), 1, limits, &mut ());
        let error = search(cnf.len()).unwrap_err();
        assert!(matches!(error, Error::WrongModel { .. }), "{error}");
        let honest = search(cnf.len() - 1).unwrap();
        assert_eq!(honest.answer, Answer::Unknown);
    }

    #[test]
    fn clauses_of_any_length_are_counted_as_by_plain_loops() {
        for length in 1..7 {
            let mut cnf = random_cnf(9, 50, length, 3).unwrap();
            cnf.push(&[]).unwrap();
            let mut host = CpuEvaluator::new(&cnf).unwrap();
            for bits in 0..512 {
                let assignment: Vec<bool> = (0..9).map(|bit| bits >> bit & 1 == 1).collect();
                assert_eq!(host.satisfied(&assignment).unwrap(), satisfied(&cnf, &assignment));
            }
        }
    }
}
