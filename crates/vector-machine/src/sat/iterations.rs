//! The loop iterations of a fragment of the searches, since some devices end long loops early:
//! plain arithmetic over a formula.

use quadrille::gl::Context;
use quadrille::memory::{self, NoMemory};

use super::{Error, Result};
use crate::cnf::{Cnf, variable};

/// Fragments that share a register on a software renderer: each waits for the longest loop of all.
const SIDE_BY_SIDE: u64 = 16;

/// Iterations over a list of numbers, three to a texel; see [`linked`](super::lists::linked).
fn over_list(numbers: usize) -> u64 {
    numbers.div_ceil(3).max(1) as u64
}

fn longest(cnf: &Cnf) -> usize {
    cnf.clauses().map(<[i32]>::len).max().unwrap_or(0)
}

/// Counts the iterations of counting `share` clauses in each fragment. Fragments side by side work
/// at the first of their clauses together, then at the second, and so on.
pub(super) fn of_counting(cnf: &Cnf, share: usize) -> u64 {
    let mut most = vec![0; share];
    for (place, clause) in cnf.clauses().enumerate() {
        let slot = &mut most[place % share];
        *slot = over_list(clause.len()).max(*slot);
    }
    share as u64 + most.iter().sum::<u64>()
}

/// Returns the walk's choice of a variable, which has its longest loops: three searches through
/// `block` masks, the literals of a clause, and for each of these the clauses that its negation is
/// in.
pub(super) fn of_choice(cnf: &Cnf, block: usize) -> Result<u64, NoMemory> {
    let place = |literal: i32| 2 * (variable(literal) - 1) + usize::from(literal < 0);
    let mut occurrences: Vec<usize> = memory::zeroed(2 * cnf.variables())?;
    cnf.literals().iter().for_each(|&literal| occurrences[place(literal)] += 1);
    // Of each place in a clause the longest list, and the longest lists of one clause.
    let mut by_place: Vec<u64> = memory::zeroed(longest(cnf))?;
    let mut of_one = 0;
    for clause in cnf.clauses() {
        let mut all = 0;
        for (slot, &literal) in by_place.iter_mut().zip(clause) {
            let iterations = over_list(occurrences[place(-literal)]);
            *slot = iterations.max(*slot);
            all += iterations;
        }
        of_one = all.max(of_one);
    }
    let lists = by_place.iter().sum::<u64>().min(SIDE_BY_SIDE * of_one);
    // Each texel of the clause is one iteration, and a loop over its three literals.
    Ok(3 * block as u64 + 4 * over_list(longest(cnf)) + lists)
}

/// Returns an error where the device may end such a loop early.
pub(super) fn must_end(context: &Context, cnf: &Cnf, iterations: u64) -> Result<()> {
    match context.most_iterations(iterations)? {
        Some(limit) if iterations > limit.into() => {
            Err(Error::LongLoop { clauses: cnf.len(), longest: longest(cnf), iterations, limit })
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn counting_takes_the_longest_clause_of_each_place() {
        let seven = [1, 2, 3, 4, 5, 6, 7];
        let clauses = [&seven[..], &[1], &[1, 2, 3, 4], &[1, 2]];
        let cnf = Cnf::new(7, clauses).unwrap();
        // Clauses 0 and 2 come first in their fragments, and 1 and 3 second.
        assert_eq!(of_counting(&cnf, 2), 2 + 3 + 1);
        assert_eq!(of_counting(&cnf, 1), 1 + 3);
    }

    #[test]
    fn choosing_takes_the_lists_of_all_literals_of_a_clause() {
        // The negation of 1 is in seven clauses, of 2 in none.
        let mut cnf = Cnf::new(2, [[1, 2]]).unwrap();
        assert_eq!(of_choice(&cnf, 1), Ok(3 + 4 + 1 + 1));
        for _ in 0..7 {
            cnf.push(&[-1]).unwrap();
        }
        assert_eq!(of_choice(&cnf, 1), Ok(3 + 4 + 3 + 1));
    }

    #[test]
    fn no_more_lists_are_counted_than_sixteen_fragments_read() {
        // Each clause has one frequent literal among a hundred, at a place of its own.
        let mut cnf = Cnf::empty(101).unwrap();
        for place in 0..100 {
            let clause = (0..100).map(|at| if at == place { 1 } else { at + 2 });
            cnf.push(&clause.collect::<Vec<_>>()).unwrap();
        }
        (0..3000).for_each(|_| cnf.push(&[-1]).unwrap());
        assert_eq!(of_choice(&cnf, 1), Ok(3 + 4 * 34 + 16 * (1000 + 99)));
    }
}
