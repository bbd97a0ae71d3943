//! `sat`: searches for models of formulas.

use std::path::PathBuf;

use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use quadrille::io::dimacs;
use quadrille::sat::{Answer, Limits, Outcome, Propagation, greedy, walk};
use quadrille::{Kind, data::Cnf};

use crate::context::{Context, chosen};
use crate::error::{Failure, wrong};
use crate::progress::Telling;
use crate::results::result;
use crate::state::State;
use crate::worker::Watch;

/// Searches for a model of the formula in a DIMACS file, by WalkSAT on many candidates at once on the device.
///
/// First come the values that clauses of one literal force (unit propagation); the search is for the other variables. A model is checked
/// against the file. `flips` is the most flips of a candidate in total; the candidates restart together after an equal share of them,
/// `restarts` times, by default 9, but no share is below 20 flips per variable. `candidates` are rounded up to a multiple of 128, and by default as many as suit
/// the device and the formula; with 1 it is the greedy search of 2002. The same `seed` and `candidates` give the same search on every device.
///
/// The result has `satisfiable` (True, False, or None where it is unknown), `model`, an array of bool with the value of variable 1 first,
/// and more: see `results.Satisfiability`. Raises `InputError` for a file that is no formula, with its line. Ctrl-C stops it.
///
/// >>> import quadrille as q, tempfile, pathlib
/// >>> file = pathlib.Path(tempfile.mkdtemp()) / "two.cnf"
/// >>> _ = file.write_text("p cnf 3 4\n1 2 0\n-1 3 0\n-2 3 0\n-1 -2 0\n")
/// >>> found = q.sat(file, candidates=128)
/// >>> found.satisfiable, found.satisfied, bool(found.model[2])
/// (True, 4, True)
#[pyfunction]
#[pyo3(signature = (file, *, seed=1, flips=100_000, restarts=None, candidates=None, progress=None, context=None))]
#[allow(clippy::too_many_arguments, reason = "they are Python's keyword arguments")]
pub(crate) fn sat<'py>(
    py: Python<'py>,
    file: PathBuf,
    seed: u64,
    flips: u64,
    restarts: Option<u64>,
    candidates: Option<usize>,
    progress: Option<Bound<'py, PyAny>>,
    context: Option<&Context>,
) -> PyResult<Bound<'py, PyAny>> {
    if candidates == Some(0) {
        return Err(wrong(py, "candidates: expected at least 1, got 0"));
    }
    let task = Task { file, seed, flips, restarts, candidates };
    let telling = Telling::of(py, progress, "flips")?;
    let worker = chosen(py, context)?;
    let found = worker.call_telling(py, telling.tell(), |state, watch| task.run(state, watch));
    telling.end(None)?;
    found?.into_result(py, seed)
}

struct Task {
    file: PathBuf,
    seed: u64,
    flips: u64,
    restarts: Option<u64>,
    candidates: Option<usize>,
}

struct Found {
    cnf: (usize, usize),
    propagated: usize,
    candidates: usize,
    outcome: Outcome,
}

impl Task {
    fn run(&self, state: &mut State, watch: &mut Watch) -> Result<Found, Failure> {
        let cnf = dimacs::read(&self.file)?;
        let units = Propagation::of(&cnf)?;
        let (outcome, candidates) = match units.decided(&cnf)? {
            Some(outcome) => (outcome, 0),
            None => {
                let (outcome, candidates) = self.search(units.rest(), &state.context()?, watch)?;
                (units.extended(&cnf, outcome)?, candidates)
            }
        };
        if outcome.stopped {
            return Err(Failure::new(Kind::Cancelled, "the search was stopped"));
        }
        let cnf = (cnf.variables(), cnf.len());
        Ok(Found { cnf, propagated: units.fixed(), candidates, outcome })
    }

    fn search(
        &self,
        cnf: &Cnf,
        context: &quadrille::Context,
        watch: &mut Watch,
    ) -> Result<(Outcome, usize), Failure> {
        if self.candidates == Some(1) {
            let mut evaluator = greedy::fragment_evaluator(context, cnf)?;
            let restarts = self.restarts.unwrap_or(u64::MAX);
            let limits = Limits { flips: self.flips, restarts };
            return Ok((greedy::solve(cnf, evaluator.as_mut(), self.seed, limits, watch)?, 1));
        }
        let candidates = self.candidates.unwrap_or_else(|| walk::default_candidates(context, cnf));
        let options = walk::Options { candidates, seed: self.seed, noise: walk::NOISE };
        let usual = Limits::of_walk(cnf, self.flips);
        let limits = Limits { restarts: self.restarts.unwrap_or(usual.restarts), ..usual };
        let mut walk = walk::Walk::new(context, cnf, options)?;
        Ok((walk.run(cnf, limits, watch)?, walk.candidates()))
    }
}

impl Found {
    fn into_result(self, py: Python<'_>, seed: u64) -> PyResult<Bound<'_, PyAny>> {
        let Found { cnf: (variables, clauses), propagated, candidates, outcome } = self;
        let satisfiable = match outcome.answer {
            Answer::Satisfiable => Some(true),
            Answer::Unsatisfiable => Some(false),
            Answer::Unknown => None,
        };
        let fields = PyDict::new(py);
        fields.set_item("satisfiable", satisfiable)?;
        fields.set_item("clause_evaluations_per_second", outcome.rate())?;
        fields.set_item("variables", variables)?;
        fields.set_item("clauses", clauses)?;
        fields.set_item("propagated", propagated)?;
        fields.set_item("satisfied", outcome.satisfied)?;
        fields.set_item("flips", outcome.flips)?;
        fields.set_item("restarts", outcome.restarts)?;
        fields.set_item("candidates", candidates)?;
        fields.set_item("seed", seed)?;
        fields.set_item("milliseconds", outcome.elapsed.as_secs_f64() * 1e3)?;
        let model = (satisfiable == Some(true)).then(|| PyArray1::from_vec(py, outcome.assignment));
        fields.set_item("model", model)?;
        result("Satisfiability", &fields)
    }
}
