//! The limits and the outcome of a search.

use std::time::Duration;

use crate::cnf::{self, Cnf};

/// The limits of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most flips of a candidate, before and after restarts.
    pub flips: u64,
    /// The most restarts. Many candidates restart together after an equal share of the flips; the
    /// greedy search restarts when it stagnates.
    pub restarts: u64,
}

impl Limits {
    /// Returns the usual limits of a walk: nine restarts, but no share of the flips below 20 for
    /// each variable.
    pub fn of_walk(cnf: &Cnf, flips: u64) -> Limits {
        let shares = flips / (20 * cnf.variables() as u64).max(1);
        Limits { flips, restarts: shares.saturating_sub(1).min(9) }
    }
}

/// The result of a search for a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The formula has a model.
    Satisfiable,
    /// The formula has no model, as unit propagation showed. No search here finds that.
    Unsatisfiable,
    /// No model was found.
    Unknown,
}

/// The outcome of a search.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Outcome {
    /// The answer.
    pub answer: Answer,
    /// A checked model, or the best assignment at the end; element `v - 1` is the value
    /// of variable `v`.
    pub assignment: Vec<bool>,
    /// The number of clauses that it satisfies.
    pub satisfied: usize,
    /// The flips of all candidates together.
    pub flips: u64,
    /// The number of restarts.
    pub restarts: u64,
    /// The number of evaluated clauses, times candidates.
    pub evaluations: u64,
    /// The duration of the search, without set-up.
    pub elapsed: Duration,
    /// Whether the observer stopped it.
    pub stopped: bool,
}

impl Outcome {
    /// Returns the outcome that an assignment is, checked against the formula itself.
    pub(super) fn of(cnf: &Cnf, assignment: Vec<bool>) -> Outcome {
        let satisfied = cnf::satisfied(cnf, &assignment);
        let is_model = cnf::first_unsatisfied(cnf, &assignment).is_none();
        let answer = if is_model { Answer::Satisfiable } else { Answer::Unknown };
        Outcome {
            answer,
            assignment,
            satisfied,
            flips: 0,
            restarts: 0,
            evaluations: 0,
            elapsed: Duration::ZERO,
            stopped: false,
        }
    }

    /// Returns the assignment as signed literals, if it is a model.
    pub fn model(&self) -> Option<Vec<i32>> {
        let signed = |(index, &value): (usize, &bool)| {
            let variable = index as i32 + 1;
            if value { variable } else { -variable }
        };
        let known = self.answer == Answer::Satisfiable;
        known.then(|| self.assignment.iter().enumerate().map(signed).collect())
    }

    /// Returns the number of clauses evaluated in a second.
    pub fn rate(&self) -> f64 {
        self.evaluations as f64 / self.elapsed.as_secs_f64().max(1e-9)
    }
}
