//! Figure 7 of Thompson, Hahn and Oskin (2002): the time of their search against the number of
//! clauses, on formulas without a model; then how many clauses a search of many candidates evaluates
//! beside that of one.
//!
//! Formulas of the figure have 47 variables, as many as the document's constants hold, and ten or more
//! clauses a variable, which leaves a random formula no model but for a chance below 10^-14. Each
//! engine is compared with plain loops before it runs, and engines take turns.

use std::time::Duration;

use crate::data::{Cnf, SplitMix64, random_cnf};
use crate::gl::Context;
use crate::observer::{Control, Observer, Progress};
use crate::reference::sat::satisfied;
use crate::reference::walk::WalkSat;
use crate::sat::document::{self, Evaluator, OnDevice, OnHost, program};
use crate::sat::{Error as SatError, Limits, Outcome, walk};

use super::{Error, Summary};

/// What to measure.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Clauses of the formulas.
    pub clauses: Vec<usize>,
    /// Iterations of the document's search in a run.
    pub iterations: u64,
    /// Runs of each.
    pub runs: usize,
    /// Candidates of the other search; as suits the device where not given.
    pub candidates: Option<usize>,
}

/// The clauses of the figure's axis.
pub const CLAUSES: [usize; 4] = [500, 1000, 1500, 2000];

/// The fewest clauses that leave 47 variables no model, for sure.
pub const FEWEST: usize = 500;

/// Iterations of the figure.
pub const ITERATIONS: u64 = 100_000;

/// Who counts satisfied clauses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// The fragment stage, the assignment in a texture.
    Fragment,
    /// One core of this machine.
    Host,
}

impl Engine {
    /// All of them.
    pub const ALL: [Engine; 2] = [Engine::Fragment, Engine::Host];

    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Engine::Fragment => "fragment",
            Engine::Host => "host",
        }
    }

    fn evaluator(self, context: &Context, cnf: &Cnf) -> Result<Box<dyn Evaluator>, SatError> {
        Ok(match self {
            Engine::Fragment => Box::new(OnDevice::new(context, cnf)?),
            Engine::Host => Box::new(OnHost::new(cnf)),
        })
    }
}

/// A point of the figure. Times are of one iteration.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Row {
    /// Who counted.
    pub engine: Engine,
    /// Clauses of the formula.
    pub clauses: usize,
    /// How long an iteration took.
    pub summary: Summary,
    /// Whether its counts were those of plain loops.
    pub right: bool,
}

/// An engine's points as a fixed cost and a cost for each clause, by least squares.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fit {
    /// Of an iteration, whatever its clauses.
    pub fixed_ms: f64,
    /// Of each clause.
    pub clause_ms: f64,
}

/// Many candidates beside one, on a hard formula of so many clauses.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Many {
    /// Clauses of the formula.
    pub clauses: usize,
    /// Variables of the formula.
    pub variables: usize,
    /// Candidates.
    pub candidates: usize,
    /// Clause evaluations a second of all of them.
    pub rate: f64,
    /// The same of the document's search on each engine, in the order of [`Engine::ALL`].
    pub one: [f64; 2],
    /// Whether the candidates were those of the twin.
    pub right: bool,
}

/// All that was measured.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Table {
    /// Clauses in order, engines in theirs.
    pub rows: Vec<Row>,
    /// One for each number of clauses.
    pub many: Vec<Many>,
    /// Whether the observer stopped it: what was not finished is left out.
    pub stopped: bool,
}

impl Table {
    /// The fit of an engine's points; none of fewer than two.
    pub fn fit(&self, engine: Engine) -> Option<Fit> {
        let of_engine = self.rows.iter().filter(|row| row.engine == engine);
        let points: Vec<(f64, f64)> =
            of_engine.map(|row| (row.clauses as f64, row.summary.median_ms)).collect();
        let n = points.len() as f64;
        let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / n;
        let (x, y) = (mean(|point| point.0), mean(|point| point.1));
        let spread: f64 = points.iter().map(|point| (point.0 - x).powi(2)).sum();
        let slope = points.iter().map(|point| (point.0 - x) * (point.1 - y)).sum::<f64>() / spread;
        slope.is_finite().then_some(Fit { fixed_ms: y - slope * x, clause_ms: slope })
    }
}

/// Measures.
pub fn run(context: &Context, plan: &Plan, observer: &mut dyn Observer) -> Result<Table, Error> {
    let mut table = Table::default();
    let turns = plan.clauses.len() * (plan.runs + 1);
    let mut done = 0;
    let mut go_on = || {
        done += 1;
        let progress = Progress { done, expected: Some(turns as u64), residual: None };
        observer.observe(&progress) == Control::Continue
    };
    for &clauses in &plan.clauses {
        match points(context, plan, clauses, &mut go_on)? {
            Some(rows) => table.rows.extend(rows),
            None => return Ok(Table { stopped: true, ..table }),
        }
        table.many.push(many(context, plan, clauses)?);
        if !go_on() {
            return Ok(Table { stopped: true, ..table });
        }
    }
    Ok(table)
}

/// All engines at one number of clauses; nothing where `go_on` ended them.
fn points(
    context: &Context,
    plan: &Plan,
    clauses: usize,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<Option<Vec<Row>>, Error> {
    let cnf = random_cnf(program::MAX_VARIABLES, clauses, 3, 1)?;
    let mut lanes = Vec::new();
    for engine in Engine::ALL {
        let mut evaluator = engine.evaluator(context, &cnf)?;
        let right = counts_right(&cnf, evaluator.as_mut())?;
        lanes.push((engine, evaluator, right, Vec::new()));
    }
    for _ in 0..plan.runs {
        for (_, evaluator, _, times) in &mut lanes {
            let outcome = search(&cnf, evaluator.as_mut(), plan.iterations)?;
            let iterations = (outcome.evaluations / clauses as u64).max(1);
            times.push(outcome.elapsed.div_f64(iterations as f64));
        }
        if !go_on() {
            return Ok(None);
        }
    }
    let row = |(engine, _, right, times): (_, _, _, Vec<Duration>)| Row {
        engine,
        clauses,
        summary: Summary::of(&times, 1),
        right,
    };
    Ok(Some(lanes.into_iter().map(row).collect()))
}

fn search(cnf: &Cnf, evaluator: &mut dyn Evaluator, iterations: u64) -> Result<Outcome, SatError> {
    let limits = Limits { flips: iterations, restarts: u64::MAX };
    document::solve(cnf, &mut &mut *evaluator, 1, limits, &mut ())
}

/// Whether a few random assignments are counted as plain loops count them.
fn counts_right(cnf: &Cnf, evaluator: &mut dyn Evaluator) -> Result<bool, SatError> {
    let mut random = SplitMix64::new(7);
    for _ in 0..5 {
        let assignment: Vec<bool> =
            (0..cnf.variables()).map(|_| random.next() >> 63 == 1).collect();
        if evaluator.satisfied(&assignment)? != satisfied(cnf, &assignment) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Steps of all candidates in a run.
const STEPS: u64 = 256;

/// The rates on a uniform formula just past the threshold, where searches run long.
fn many(context: &Context, plan: &Plan, clauses: usize) -> Result<Many, Error> {
    let variables = (clauses / 5).max(3);
    let cnf = random_cnf(variables, clauses, 3, 2)?;
    let usual = || walk::usual_candidates(context, &cnf);
    let candidates = plan.candidates.unwrap_or_else(usual);
    let options = walk::Options { candidates, seed: 1, noise: walk::NOISE };
    let mut walk = walk::Walk::new(context, &cnf, options)?;
    let limits = Limits { flips: STEPS, restarts: 0 };
    // The first run warms up.
    walk.run(&cnf, limits, &mut ())?;
    let mut rates = Vec::new();
    for _ in 0..plan.runs {
        rates.push(walk.run(&cnf, limits, &mut ())?.rate());
    }
    rates.sort_by(f64::total_cmp);
    let mut one = [0.0; 2];
    for (rate, engine) in one.iter_mut().zip(Engine::ALL) {
        let mut evaluator = engine.evaluator(context, &cnf)?;
        *rate = search(&cnf, evaluator.as_mut(), plan.iterations)?.rate();
    }
    Ok(Many {
        clauses,
        variables,
        candidates: walk.layout().candidates(),
        rate: rates.get(rates.len() / 2).copied().unwrap_or(0.0),
        one,
        right: walks_right(context, &cnf)?,
    })
}

/// Whether a group of candidates walks as the twin does.
fn walks_right(context: &Context, cnf: &Cnf) -> Result<bool, SatError> {
    let options = walk::Options { candidates: walk::GROUP, seed: 3, noise: walk::NOISE };
    let mut walk = walk::Walk::new(context, cnf, options)?;
    let block = walk.layout().block;
    let mut twin = WalkSat::new(cnf.simplified(), walk::GROUP, block, options.seed, options.noise);
    walk.begin()?;
    twin.begin();
    for _ in 0..3 {
        walk.step()?;
        twin.step();
    }
    Ok(walk.assignments()? == twin.assignments)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn a_fit_parts_fixed_cost_and_slope() {
        let summary = |median_ms| Summary { median_ms, spread_ms: 0.0, runs: 1 };
        let row = |engine, clauses, ms| Row { engine, clauses, summary: summary(ms), right: true };
        let table = Table {
            rows: vec![
                row(Engine::Fragment, 500, 1.25),
                row(Engine::Host, 500, 9.0),
                row(Engine::Fragment, 1000, 1.5),
                row(Engine::Fragment, 2000, 2.0),
            ],
            ..Table::default()
        };
        let fit = table.fit(Engine::Fragment).unwrap();
        assert!((fit.fixed_ms - 1.0).abs() < 1e-12 && (fit.clause_ms - 0.0005).abs() < 1e-12);
        assert_eq!(table.fit(Engine::Host), None);
    }
}
