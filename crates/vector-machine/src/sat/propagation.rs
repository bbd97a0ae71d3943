//! Unit propagation: what follows from clauses of one literal, on the host, before any search.

use quadrille::memory::{self, NoMemory};

use super::{Answer, Outcome};
use crate::cnf::Cnf;

/// The result of unit propagation in a formula: the values that its clauses of one literal force,
/// one after the other, and the formula that remains.
///
/// It takes time linear in the number of literals: a clause is looked at whenever one of its
/// literals becomes false, and read through once, when one literal is left.
///
/// ```
/// use quadrille_vp::cnf::Cnf;
/// use quadrille_vp::sat::{Answer, Propagation};
///
/// let cnf = Cnf::new(4, [&[1][..], &[-1, -2], &[2, 3, 4]])?;
/// let units = Propagation::of(&cnf)?;
/// assert_eq!((units.fixed(), units.rest()), (2, &Cnf::new(2, [[1, 2]])?));
///
/// let impossible = Cnf::new(1, [[1], [-1]])?;
/// let outcome = Propagation::of(&impossible)?.decided(&impossible)?;
/// assert_eq!(outcome.map(|outcome| outcome.answer), Some(Answer::Unsatisfiable));
/// # Ok::<(), quadrille_vp::cnf::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Propagation {
    /// The value of each variable from 0; `None` where propagation leaves it open.
    values: Vec<Option<bool>>,
    contradiction: bool,
    rest: Cnf,
}

impl Propagation {
    /// Propagates the units of a formula.
    ///
    /// # Errors
    /// If there is no memory for the lists of clauses.
    pub fn of(cnf: &Cnf) -> Result<Propagation, NoMemory> {
        let cnf = cnf.simplified()?;
        let mut state = State::of(&cnf)?;
        let contradiction = state.run().is_err();
        let State { values, .. } = state;
        let rest = cnf.under(&values)?;
        Ok(Propagation { values, contradiction, rest })
    }

    /// Returns how many variables have a forced value. Where there is a contradiction: until it was
    /// found.
    pub fn fixed(&self) -> usize {
        self.values.iter().flatten().count()
    }

    /// Returns the clauses that are not yet satisfied, without their false literals. Its variables
    /// are those without a value, in their order, numbered from 1. Unless there is a contradiction,
    /// no clause of it has fewer than two literals.
    pub fn rest(&self) -> &Cnf {
        &self.rest
    }

    /// Returns the outcome for the formula, where it needs no search: propagation ended in a
    /// contradiction, or satisfied all clauses.
    ///
    /// # Errors
    /// If there is no memory for the assignment.
    pub fn decided(&self, cnf: &Cnf) -> Result<Option<Outcome>, NoMemory> {
        if !self.contradiction && !self.rest.is_empty() {
            return Ok(None);
        }
        let outcome = Outcome::of(cnf, self.assignment(&[])?);
        Ok(Some(match self.contradiction {
            true => Outcome { answer: Answer::Unsatisfiable, ..outcome },
            false => outcome,
        }))
    }

    /// Returns the outcome for the formula, from that of a search of the [rest](Self::rest). A
    /// model is checked once more, against the formula itself.
    ///
    /// # Errors
    /// If there is no memory for the assignment.
    pub fn extended(&self, cnf: &Cnf, outcome: Outcome) -> Result<Outcome, NoMemory> {
        let whole = Outcome::of(cnf, self.assignment(&outcome.assignment)?);
        let Outcome { answer, assignment, satisfied, .. } = whole;
        Ok(Outcome { answer, assignment, satisfied, ..outcome })
    }

    /// Returns the forced values, between them those of the rest's variables; false where it has
    /// none.
    fn assignment(&self, rest: &[bool]) -> Result<Vec<bool>, NoMemory> {
        let mut rest = rest.iter().copied();
        let value = |value: &Option<bool>| value.or_else(|| rest.next()).unwrap_or(false);
        memory::collected(self.values.len(), self.values.iter().map(value))
    }
}

/// A literal that must be true is false already.
struct Contradiction;

/// The propagation on its way.
struct State<'a> {
    cnf: &'a Cnf,
    occurrences: Occurrences,
    values: Vec<Option<bool>>,
    satisfied: Vec<bool>,
    /// For each clause, the number of literals that are not false.
    open: Vec<usize>,
    /// Literals that must be true, in the order in which that was found. A clause has one at most,
    /// so there is room for all.
    queue: Vec<i32>,
}

impl<'a> State<'a> {
    /// Prepares the first step, for a formula without literals that are twice in a clause.
    fn of(cnf: &'a Cnf) -> Result<State<'a>, NoMemory> {
        let units = cnf.clauses().filter(|clause| clause.len() == 1).map(|unit| unit[0]);
        Ok(State {
            cnf,
            occurrences: Occurrences::of(cnf)?,
            values: memory::filled(None, cnf.variables())?,
            satisfied: memory::filled(false, cnf.len())?,
            open: memory::collected(cnf.len(), cnf.clauses().map(<[i32]>::len))?,
            queue: memory::collected(cnf.len(), units)?,
        })
    }

    fn run(&mut self) -> Result<(), Contradiction> {
        if self.cnf.has_empty_clause() {
            return Err(Contradiction);
        }
        let mut next = 0;
        while let Some(&literal) = self.queue.get(next) {
            next += 1;
            match self.value(literal) {
                None => self.assign(literal)?,
                Some(true) => {}
                Some(false) => return Err(Contradiction),
            }
        }
        Ok(())
    }

    fn value(&self, literal: i32) -> Option<bool> {
        self.values[literal.unsigned_abs() as usize - 1].map(|value| value == (literal > 0))
    }

    fn assign(&mut self, literal: i32) -> Result<(), Contradiction> {
        self.values[literal.unsigned_abs() as usize - 1] = Some(literal > 0);
        for &clause in self.occurrences.of_literal(literal) {
            self.satisfied[clause] = true;
        }
        for &clause in self.occurrences.of_literal(-literal) {
            self.open[clause] -= 1;
            if self.satisfied[clause] {
                continue;
            }
            let mut literals = self.cnf.clause(clause).iter();
            match self.open[clause] {
                0 => return Err(Contradiction),
                1 => self.queue.extend(literals.find(|&&literal| self.value(literal).is_none())),
                _ => {}
            }
        }
        Ok(())
    }
}

/// The clauses in which each literal is.
pub(super) struct Occurrences {
    /// For each literal, the start of its clauses, indexed by [`slot`].
    starts: Vec<usize>,
    clauses: Vec<usize>,
}

impl Occurrences {
    pub(super) fn of(cnf: &Cnf) -> Result<Occurrences, NoMemory> {
        let mut starts: Vec<usize> = memory::zeroed(2 * cnf.variables() + 1)?;
        for &literal in cnf.literals() {
            starts[slot(literal) + 1] += 1;
        }
        for index in 1..starts.len() {
            starts[index] += starts[index - 1];
        }
        let mut ends = memory::copied(&starts)?;
        let mut clauses = memory::zeroed(cnf.literals().len())?;
        for (index, clause) in cnf.clauses().enumerate() {
            for &literal in clause {
                let end = &mut ends[slot(literal)];
                clauses[*end] = index;
                *end += 1;
            }
        }
        Ok(Occurrences { starts, clauses })
    }

    fn of_literal(&self, literal: i32) -> &[usize] {
        self.at(slot(literal))
    }

    /// Returns the lists of all literals: of variable 1, of its negation, of variable 2 ...
    pub(super) fn lists(&self) -> impl ExactSizeIterator<Item = &[usize]> {
        (0..self.starts.len() - 1).map(|slot| self.at(slot))
    }

    fn at(&self, slot: usize) -> &[usize] {
        &self.clauses[self.starts[slot]..self.starts[slot + 1]]
    }
}

fn slot(literal: i32) -> usize {
    2 * (literal.unsigned_abs() as usize - 1) + usize::from(literal < 0)
}

impl Outcome {
    /// Returns the outcome for a formula that needs no search, because [`Propagation`] decides it.
    ///
    /// # Errors
    /// If there is no memory for the assignment.
    pub fn without_search(cnf: &Cnf) -> Result<Option<Outcome>, NoMemory> {
        Propagation::of(cnf)?.decided(cnf)
    }
}
