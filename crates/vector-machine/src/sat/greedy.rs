//! The search of Thompson, Hahn and Oskin (2002): flip a random variable, count the satisfied
//! clauses, keep what improves, else revert; restart on stagnation.
//!
//! An [`Evaluator`] counts. [`VertexProgramEvaluator`] is that of the paper: a function of the
//! vector machine with the assignment in its constants, 47 variables at a time.
//! [`TextureEvaluator`] keeps the assignment in a texture, and [`CpuEvaluator`] runs on one core;
//! both accept clauses of any length.

mod cpu;
mod groups;
pub mod program;
mod texture;
mod vertex_program;

use quadrille::data::SplitMix64;
use quadrille::gl::Context;
use quadrille::internal::Instant;
use quadrille::memory;
use quadrille::{Control, Observer, Progress};

use super::call_interval::CallInterval;
use super::{Answer, Error, Limits, Outcome, Result};
use crate::cnf::Cnf;
use crate::vector_machine::{Machine, Processor};

pub use cpu::CpuEvaluator;
pub(crate) use texture::sources;
pub use texture::{SHARE, TextureEvaluator};
pub use vertex_program::VertexProgramEvaluator;

/// An evaluator, which counts the satisfied clauses of a formula.
pub trait Evaluator {
    /// Counts the clauses that an assignment satisfies; element `v - 1` is the value of variable
    /// `v`.
    ///
    /// # Errors
    /// Errors of the device.
    fn satisfied(&mut self, assignment: &[bool]) -> Result<usize>;
}

/// Makes the evaluator for the fragment stage: the vertex program where the formula fits one set of
/// its constants, else the texture.
///
/// # Errors
/// [`Error::FormulaTooLarge`] and [`Error::LongLoop`] for formulas beyond the device's limits, and
/// errors of the device.
pub fn fragment_evaluator(context: &Context, cnf: &Cnf) -> Result<Box<dyn Evaluator>> {
    if cnf.variables() <= program::MAX_VARIABLES {
        let machine = Machine::new(context).with(Processor::Fragment)?;
        match VertexProgramEvaluator::new(&machine, cnf) {
            Err(Error::VertexProgram { .. }) => {}
            evaluator => return Ok(Box::new(evaluator?)),
        }
    }
    Ok(Box::new(TextureEvaluator::new(context, cnf)?))
}

/// The number of flips without an improvement after which the search restarts, as a multiple of the
/// number of variables: by then the chance that a given variable was never tried is exp(-3).
pub const STAGNATION: u64 = 3;

/// The most flips between two reports to the observer.
const REPORT_INTERVAL: u64 = 64;

/// Searches for a model with one candidate. A formula that needs no search is answered without one.
///
/// ```
/// use quadrille_vp::cnf::planted_cnf;
/// use quadrille_vp::sat::{Answer, Limits, greedy};
///
/// let (cnf, _) = planted_cnf(20, 60, 3, 1)?;
/// let limits = Limits { flips: 100_000, restarts: u64::MAX };
/// let mut host = greedy::CpuEvaluator::new(&cnf)?;
/// let outcome = greedy::solve(&cnf, &mut host, 1, limits, &mut ())?;
/// assert_eq!(outcome.answer, Answer::Satisfiable);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The errors of the evaluator; [`Error::WrongModel`] if it reports a model that is not one.
pub fn solve(
    cnf: &Cnf,
    evaluator: &mut (impl Evaluator + ?Sized),
    seed: u64,
    limits: Limits,
    observer: &mut impl Observer,
) -> Result<Outcome> {
    if let Some(outcome) = Outcome::without_search(cnf)? {
        return Ok(outcome);
    }
    let begun = Instant::now();
    let mut search = Search::new(cnf, evaluator, seed)?;
    let stopped = search.run(limits, observer)?;
    let elapsed = begun.elapsed();
    let outcome = Outcome::of(cnf, search.best);
    if search.most == cnf.len() && outcome.answer != Answer::Satisfiable {
        return Err(Error::wrong_model(cnf, &outcome.assignment, "the evaluator"));
    }
    Ok(Outcome {
        flips: search.flips,
        restarts: search.restarts,
        evaluations: search.evaluated * cnf.len() as u64,
        elapsed,
        stopped,
        ..outcome
    })
}

/// The current candidate and the best one so far.
struct Search<'a, E: ?Sized> {
    evaluator: &'a mut E,
    random: SplitMix64,
    clauses: usize,
    assignment: Vec<bool>,
    /// The number of clauses that `assignment` satisfies.
    satisfied: usize,
    best: Vec<bool>,
    /// The number of clauses that `best` satisfies.
    most: usize,
    flips: u64,
    restarts: u64,
    evaluated: u64,
    /// Flips since the last improvement.
    idle: u64,
}

impl<'a, E: Evaluator + ?Sized> Search<'a, E> {
    fn new(cnf: &Cnf, evaluator: &'a mut E, seed: u64) -> Result<Self> {
        let variables = cnf.variables();
        let mut search = Search {
            evaluator,
            random: SplitMix64::new(seed),
            clauses: cnf.len(),
            assignment: memory::filled(false, variables)?,
            satisfied: 0,
            best: memory::filled(false, variables)?,
            most: 0,
            flips: 0,
            restarts: 0,
            evaluated: 0,
            idle: 0,
        };
        search.begin()?;
        Ok(search)
    }

    /// Goes on until there is a model or a limit is reached; whether the observer stopped it.
    fn run(&mut self, limits: Limits, observer: &mut impl Observer) -> Result<bool> {
        let stagnation = STAGNATION * self.assignment.len() as u64;
        let mut interval = CallInterval::new(REPORT_INTERVAL);
        while self.satisfied < self.clauses && self.flips < limits.flips {
            if interval.step() || self.flips.is_multiple_of(REPORT_INTERVAL) {
                interval.restart();
                let progress = Progress::new(self.flips, Some(limits.flips));
                if observer.observe(&progress) == Control::Stop {
                    return Ok(true);
                }
            }
            if self.idle >= stagnation {
                if self.restarts == limits.restarts {
                    break;
                }
                self.restarts += 1;
                self.begin()?;
            } else {
                self.flip()?;
            }
        }
        Ok(false)
    }

    /// Begins with a random assignment.
    fn begin(&mut self) -> Result<()> {
        for value in &mut self.assignment {
            *value = self.random.next() >> 63 == 1;
        }
        self.satisfied = self.evaluate()?;
        self.keep_best();
        self.idle = 0;
        Ok(())
    }

    /// Flips a random variable, and back unless that satisfies more.
    fn flip(&mut self) -> Result<()> {
        let variable = (self.random.next() % self.assignment.len() as u64) as usize;
        self.assignment[variable] ^= true;
        self.flips += 1;
        let satisfied = self.evaluate()?;
        if satisfied > self.satisfied {
            self.satisfied = satisfied;
            self.idle = 0;
            self.keep_best();
        } else {
            self.assignment[variable] ^= true;
            self.idle += 1;
        }
        Ok(())
    }

    fn evaluate(&mut self) -> Result<usize> {
        self.evaluated += 1;
        self.evaluator.satisfied(&self.assignment)
    }

    fn keep_best(&mut self) {
        if self.satisfied >= self.most {
            self.most = self.satisfied;
            self.best.copy_from_slice(&self.assignment);
        }
    }
}
