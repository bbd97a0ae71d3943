//! Formulas in conjunctive normal form, the input of SAT solvers.
//!
//! * [`Cnf`] is a formula;
//! * [`satisfied`] and [`first_unsatisfied`] check whether an assignment is a model;
//! * [`random_cnf`] and [`planted_cnf`] make random ones;
//! * [`dimacs`] reads files (`.cnf`).

pub mod dimacs;
mod error;
mod model;
mod random;

use quadrille::NoMemory;
use quadrille::memory;

pub use error::{Error, Result};
pub use model::{first_unsatisfied, satisfied};
pub use random::{planted_cnf, random_cnf};

/// The most variables a formula may have.
pub const MAX_VARIABLES: usize = 1 << 24;

/// The most literals a formula may have in all its clauses.
pub const MAX_LITERALS: usize = 1 << 27;

/// Clauses over the variables 1 to [`variables`](Cnf::variables). A literal is a variable's number,
/// negative where it is negated, as in DIMACS files; a clause holds where one of its literals does.
///
/// Clauses stay as they were given, including duplicate literals, so that a model can be checked
/// against the file. [`simplified`](Cnf::simplified) is for solvers.
///
/// ```
/// use quadrille_vp::cnf::Cnf;
///
/// let cnf = Cnf::new(3, [&[1, -2][..], &[2, 3], &[-1]])?;
/// assert_eq!((cnf.variables(), cnf.len()), (3, 3));
/// assert_eq!(cnf.clause(1), [2, 3]);
/// # Ok::<(), quadrille_vp::cnf::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cnf {
    variables: usize,
    literals: Vec<i32>,
    /// The end of each clause among the literals.
    ends: Vec<usize>,
}

impl Cnf {
    /// Makes a formula of these clauses.
    ///
    /// # Errors
    /// As [`push`](Cnf::push).
    pub fn new<C: AsRef<[i32]>>(
        variables: usize,
        clauses: impl IntoIterator<Item = C>,
    ) -> Result<Cnf> {
        let mut cnf = Cnf::empty(variables)?;
        for clause in clauses {
            cnf.push(clause.as_ref())?;
        }
        Ok(cnf)
    }

    /// Creates a formula without clauses, which every assignment satisfies.
    ///
    /// # Errors
    /// [`Error::TooLarge`] for more variables than [`MAX_VARIABLES`].
    pub fn empty(variables: usize) -> Result<Cnf> {
        must_fit("a formula's number of variables", variables, MAX_VARIABLES)?;
        Ok(Cnf { variables, literals: Vec::new(), ends: Vec::new() })
    }

    /// Adds a clause.
    ///
    /// # Errors
    /// A literal is 0 or over the number of variables, or the formula has [`MAX_LITERALS`].
    pub fn push(&mut self, clause: &[i32]) -> Result<()> {
        let literals = self.literals.len().saturating_add(clause.len());
        must_fit("a formula's number of literals", literals, MAX_LITERALS)?;
        let known = |literal: &&i32| (1..=self.variables).contains(&variable(**literal));
        if let Some(&literal) = clause.iter().find(|literal| !known(literal)) {
            let (clause, variables) = (self.len(), self.variables);
            return Err(Error::Literal { clause, literal, variables });
        }
        let no_memory = |_| NoMemory::of::<i32>(literals);
        self.literals.try_reserve(clause.len()).map_err(no_memory)?;
        self.literals.extend(clause);
        Ok(memory::push(&mut self.ends, literals)?)
    }

    /// Returns how many variables there are; not all of them need be in a clause.
    pub fn variables(&self) -> usize {
        self.variables
    }

    /// Returns how many clauses there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns whether there is no clause.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Returns the literals of all clauses, one after the other.
    pub fn literals(&self) -> &[i32] {
        &self.literals
    }

    /// Returns a clause, counted from 0. Panics, as indexing does, if there is none.
    pub fn clause(&self, index: usize) -> &[i32] {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.literals[start..self.ends[index]]
    }

    /// Returns the clauses in their order.
    pub fn clauses(&self) -> impl ExactSizeIterator<Item = &[i32]> {
        (0..self.len()).map(|index| self.clause(index))
    }

    /// Returns whether a clause has no literal: nothing satisfies it.
    pub fn has_empty_clause(&self) -> bool {
        self.clauses().any(<[i32]>::is_empty)
    }

    /// Returns an equivalent formula for solvers: no literal twice in a clause, and no clause that
    /// holds a variable and its negation, which is always true.
    ///
    /// # Errors
    /// [`NoMemory`].
    pub fn simplified(&self) -> Result<Cnf, NoMemory> {
        let mut simple = Cnf { variables: self.variables, literals: Vec::new(), ends: Vec::new() };
        let longest = self.clauses().map(<[i32]>::len).max().unwrap_or(0);
        let mut sorted = memory::with_room(longest)?;
        for clause in self.clauses() {
            sorted.clear();
            sorted.extend_from_slice(clause);
            sorted.sort_unstable_by_key(|&literal| (variable(literal), literal));
            sorted.dedup();
            if sorted.windows(2).any(|pair| pair[0] == -pair[1]) {
                continue;
            }
            simple.append(sorted.iter().copied())?;
        }
        Ok(simple)
    }

    /// Simplifies the formula where some variables have values, the first of them that of variable
    /// 1: satisfied clauses are removed, and so are false literals. Variables without a value keep
    /// their order, and are numbered from 1.
    pub(crate) fn under(&self, values: &[Option<bool>]) -> Result<Cnf, NoMemory> {
        let mut free = 0;
        let number = |value: &Option<bool>| {
            free += i32::from(value.is_none());
            free
        };
        let numbers: Vec<i32> = memory::collected(values.len(), values.iter().map(number))?;
        let mut rest = Cnf { variables: free as usize, literals: Vec::new(), ends: Vec::new() };
        let value =
            |literal: i32| values[variable(literal) - 1].map(|value| value == (literal > 0));
        let open = |clause: &&[i32]| clause.iter().all(|&literal| value(literal) != Some(true));
        for clause in self.clauses().filter(open) {
            let free = clause.iter().filter(|&&literal| value(literal).is_none());
            rest.append(free.map(|&l| l.signum() * numbers[variable(l) - 1]))?;
        }
        Ok(rest)
    }

    /// Adds a clause of literals that fit.
    fn append(&mut self, clause: impl Iterator<Item = i32>) -> Result<(), NoMemory> {
        for literal in clause {
            memory::push(&mut self.literals, literal)?;
        }
        memory::push(&mut self.ends, self.literals.len())
    }
}

/// Returns the variable of a literal.
pub(crate) fn variable(literal: i32) -> usize {
    literal.unsigned_abs() as usize
}

fn must_fit(what: &'static str, got: usize, most: usize) -> Result<()> {
    if got <= most { Ok(()) } else { Err(Error::TooLarge { what, got, most }) }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn literals_outside_the_variables_are_refused() {
        for literal in [0, 4, -4, i32::MIN, i32::MAX] {
            let wrong = Error::Literal { clause: 1, literal, variables: 3 };
            assert_eq!(Cnf::new(3, [&[1][..], &[2, literal]]), Err(wrong));
        }
        assert!(matches!(Cnf::empty(MAX_VARIABLES + 1), Err(Error::TooLarge { .. })));
    }

    #[test]
    fn simplifying_keeps_what_a_solver_must_know() {
        let cnf = Cnf::new(3, [&[3, -1, 3][..], &[2, -2, 1], &[], &[1, 1], &[-3]]).unwrap();
        let simple = cnf.simplified().unwrap();
        assert_eq!(simple, Cnf::new(3, [&[-1, 3][..], &[], &[1], &[-3]]).unwrap());
        assert_eq!(simple.simplified().as_ref(), Ok(&simple));
        assert!(simple.has_empty_clause() && !Cnf::empty(0).unwrap().has_empty_clause());
    }
}
