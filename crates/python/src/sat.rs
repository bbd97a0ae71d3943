//! `sat`: searches for models of formulas.

use std::path::PathBuf;

use numpy::PyArray1;
use pyo3::types::PyDict;
use quadrille::Kind;
use quadrille::memory;
use quadrille_vp::cnf::{Cnf, dimacs};
use quadrille_vp::sat::{Answer, Found, Options, Outcome};

use crate::arguments::progress::Telling;
use crate::arguments::specified;
use crate::context::{Context, chosen};
use crate::error::{Failure, wrong};
use crate::prelude::*;
use crate::results::result;
use crate::worker::Watch;
use crate::worker::state::State;

/// Searches for a model of a formula, by WalkSAT on many candidates at once on the device.
///
/// `formula` is the name of a DIMACS file, or its clauses: lists of literals, which are the numbers
/// of variables from 1 on, negative where negated; there are as many variables as the greatest
/// number says.
///
/// First come the values that clauses of one literal force (unit propagation); the search is for
/// the other variables. A model is checked against the formula. `flips` is the most flips of a
/// candidate in total; the candidates restart together after an equal share of them, `restarts`
/// times, by default 9, but no share is below 20 flips per variable. `candidates` are rounded up to
/// a multiple of 128, and by default as many as suit the device and the formula; with 1 it is the
/// greedy search of 2002, whose clauses are evaluated by the `engine` "fragment", "vertex" or
/// "feedback" on the device, or "simulator" or "host" on the host. The same `seed` and `candidates`
/// give the same search on every device and engine.
///
/// The result has `satisfiable` (True, False, or None where it is unknown), `model`, an array of
/// bool with the value of variable 1 first, and more: see `results.Satisfiability`. Raises
/// `InputError` for a file that is no formula, with its line. Ctrl-C stops it.
///
/// >>> import quadrille_gl as q
/// >>> found = q.sat([[1, 2], [-1, 3], [-2, 3], [-1, -2]], candidates=128)
/// >>> found.satisfiable, found.satisfied, bool(found.model[2])
/// (True, 4, True)
#[pyfunction]
#[pyo3(signature = (formula, *, progress=None, context=None, **options),
    text_signature = "(formula, *, seed=1, flips=100000, restarts=None, candidates=None, engine=None, progress=None, context=None)")]
pub(crate) fn sat<'py>(
    formula: &Object<'py>,
    progress: Option<Object<'py>>,
    context: Option<&Context>,
    options: Option<&Bound<'py, PyDict>>,
) -> Returned<'py> {
    let py = formula.py();
    let options: Options = specified::options(py, "sat", options)?;
    options.method().or_raise(py)?;
    let seed = options.seed;
    let asked = Request { formula: Formula::take(formula)?, options };
    let telling = Telling::of(py, progress, "flips")?;
    let worker = chosen(py, context)?;
    let work = move |state: &mut State, watch: &mut Watch| asked.run(state, watch);
    let found = worker.call_telling(py, Some(&telling), work);
    telling.end(None)?;
    found?.into_result(py, seed)
}

enum Formula {
    File(PathBuf),
    Clauses(Cnf),
}

impl Formula {
    fn take(object: &Object<'_>) -> PyResult<Formula> {
        if let Ok(path) = object.extract::<PathBuf>() {
            return Ok(Formula::File(path));
        }
        let Ok(clauses) = object.try_iter() else {
            let kind = object.get_type();
            let text =
                format!("expected the name of a DIMACS file, or a list of clauses, got {kind}");
            return Err(wrong(object.py(), text));
        };
        let (mut all, mut ends) = (Vec::new(), Vec::new());
        for (at, clause) in clauses.enumerate() {
            literals(at, &clause?, &mut all)?;
            pushed(object.py(), &mut ends, all.len())?;
        }
        let cnf = formula(&all, &ends);
        cnf.map(Formula::Clauses).map_err(|failure| failure.into_exception(object.py()))
    }
}

/// The formula of clauses that end there among their literals.
fn formula(all: &[i32], ends: &[usize]) -> Result<Cnf, Failure> {
    let greatest = all.iter().map(|literal| literal.unsigned_abs()).max();
    let mut cnf = Cnf::empty(greatest.unwrap_or(0) as usize)?;
    let mut first = 0;
    for &end in ends {
        cnf.push(all.get(first..end).unwrap_or_default())?;
        first = end;
    }
    Ok(cnf)
}

/// Adds the literals of a clause.
fn literals(at: usize, clause: &Object<'_>, all: &mut Vec<i32>) -> PyResult<()> {
    let py = clause.py();
    let unfit = |_| {
        let text = format!(
            "clause {at}: expected a list of literals, integers such as [1, -2]; got {clause}"
        );
        wrong(py, text)
    };
    for literal in clause.try_iter().map_err(unfit)? {
        let literal = literal.and_then(|literal| literal.extract::<i32>());
        pushed(py, all, literal.map_err(unfit)?)?;
    }
    Ok(())
}

fn pushed<T>(py: Python<'_>, items: &mut Vec<T>, item: T) -> PyResult<()> {
    memory::push(items, item).or_raise(py)
}

struct Request {
    formula: Formula,
    options: Options,
}

/// What was found of a formula of so many variables and clauses.
struct Answered {
    cnf: (usize, usize),
    propagated: usize,
    /// The number of candidates, and the engine's name; `None` where no search was needed.
    searched: Option<(usize, &'static str)>,
    outcome: Outcome,
}

impl Request {
    fn run(&self, state: &mut State, watch: &mut Watch) -> Result<Answered, Failure> {
        let read;
        let cnf = match &self.formula {
            Formula::Clauses(cnf) => cnf,
            Formula::File(path) => {
                read = dimacs::read(path)?;
                &read
            }
        };
        let found = self.options.solve(cnf, || state.context(), |search| search.run(watch))?;
        let Found { outcome, propagated, searched, .. } = found;
        if outcome.stopped {
            return Err(Failure::new(Kind::Cancelled, "the search was stopped"));
        }
        let searched = searched.map(|search| (search.candidates, search.engine.name()));
        Ok(Answered { cnf: (cnf.variables(), cnf.len()), propagated, searched, outcome })
    }
}

impl Answered {
    fn into_result(self, py: Python<'_>, seed: u64) -> Returned<'_> {
        let Answered { cnf: (variables, clauses), propagated, searched, outcome } = self;
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
        fields.set_item("candidates", searched.map_or(0, |(candidates, _)| candidates))?;
        fields.set_item("engine", searched.map(|(_, engine)| engine))?;
        fields.set_item("seed", seed)?;
        fields.set_item("milliseconds", outcome.elapsed.as_secs_f64() * 1e3)?;
        let model = (satisfiable == Some(true)).then(|| PyArray1::from_vec(py, outcome.assignment));
        fields.set_item("model", model)?;
        result("Satisfiability", &fields)
    }
}
