//! Figure 7 of Thompson, Hahn and Oskin (2002): the time of their search against the number of
//! clauses, on formulas without a model; then how many clauses a search of many candidates
//! evaluates beside that of one.
//!
//! Formulas of the figure have 47 variables, as many as the paper's constants hold, and ten or more
//! clauses a variable, which leaves a random formula no model but for a chance below 10^-14. Each
//! engine is compared with plain loops before it runs, and engines take turns.

mod engine;
pub mod figures;
mod many;

use std::rc::Rc;
use std::time::Duration;

use quadrille::Observer;
use quadrille::data::SplitMix64;
use quadrille::gl::Context;
use quadrille_vp::cnf::{Cnf, random_cnf, satisfied};
use quadrille_vp::sat::greedy::{self, Evaluator, program};
use quadrille_vp::sat::{Error as SatError, Limits, Outcome};

pub use self::engine::Engine;
pub use self::many::Many;
use super::runner::{self, Effort, Measured, Meter, Rounds};
use crate::numbers::statistics::line_through;
use crate::report::estimate::Timing;
use crate::report::table::{Column, column, only_json, only_text, wrong};
use crate::twin::Comparison;
use crate::{Result, Summary};

#[derive(Clone, Debug)]
pub struct Plan {
    pub clauses: Vec<usize>,
    /// Iterations of the paper's search in a run.
    pub iterations: u64,
    pub runs: usize,
    /// Candidates of the other search; as suits the device where not given.
    pub candidates: Option<usize>,
    /// Steps of all candidates in a run; 0 leaves the other search out.
    pub steps: u64,
}

/// Steps of all candidates that show their rate.
pub const STEPS: u64 = 256;

/// The clauses of the figure's axis.
pub const CLAUSES: [usize; 4] = [500, 1000, 1500, 2000];

/// The fewest clauses that release 47 variables no model, for sure.
pub const FEWEST: usize = 500;

pub const ITERATIONS: u64 = 100_000;

/// A point of the figure. Times are of one iteration.
#[derive(Clone, Debug)]
pub struct Row {
    pub engine: Engine,
    pub clauses: usize,
    pub summary: Summary,
    /// Whether its counts were those of plain loops.
    pub right: bool,
}

impl Row {
    pub fn timing(&self) -> Timing {
        self.summary.of_size(self.clauses)
    }

    /// Seconds of the figure's iterations, extrapolated.
    pub fn seconds(&self) -> f64 {
        self.summary.median_ms * ITERATIONS as f64 / 1e3
    }

    pub fn columns() -> Vec<Column<Row>> {
        vec![
            column("engine", "engine", "", |row: &Row| row.engine.name().into()),
            column("clauses", "clauses", "", |row| row.clauses.into()),
            column("iteration_us", "iteration", "us", |row| (1e3 * row.summary.median_ms).into()),
            only_json("spread_us", |row| (1e3 * row.summary.spread_ms).into()),
            only_text("spread", "%", |row| (100.0 * row.summary.relative_spread()).into()),
            only_json("runs", |row| row.summary.runs.into()),
            column("extrapolated_seconds_of_100000", "100,000 iterations", "s", |row| {
                row.seconds().into()
            }),
            only_json("right", |row| row.right.into()),
            only_text("", "", |row| wrong(row.right)),
        ]
    }
}

/// An engine's points as a fixed cost and a cost for each clause, by least squares.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fit {
    pub engine: Engine,
    /// The fixed time of an iteration, whatever its clauses.
    pub fixed_ms: f64,
    pub clause_ms: f64,
    /// How many times as long the engine takes for its last number of clauses as for its first.
    pub growth: f64,
}

impl Fit {
    pub fn columns() -> Vec<Column<Fit>> {
        vec![
            column("engine", "engine", "", |fit: &Fit| fit.engine.name().into()),
            column("fixed_us", "fixed", "us", |fit| (1e3 * fit.fixed_ms).into()),
            column("clause_ns", "per clause", "ns", |fit| (1e6 * fit.clause_ms).into()),
            column("growth", "last over first", "", |fit| fit.growth.into()),
        ]
    }
}

#[derive(Clone, Debug, Default)]
pub struct Table {
    /// Clauses in order, engines in theirs.
    pub rows: Vec<Row>,
    /// One for each number of clauses.
    pub many: Vec<Many>,
    /// Engines that this device does not have, and why.
    pub skipped: Vec<(Engine, String)>,
    /// Whether the observer stopped it: what was not finished is left out.
    pub stopped: bool,
}

impl Table {
    /// How many times as long an engine takes for its last number of clauses as for its first.
    pub fn growth(&self, engine: Engine) -> Option<f64> {
        let mut of_engine = self.rows.iter().filter(|row| row.engine == engine);
        let (first, last) = (of_engine.next()?, of_engine.next_back()?);
        Some(last.summary.median_ms / first.summary.median_ms.max(1e-12))
    }

    /// The fit of an engine's points; none of fewer than two.
    pub fn fit(&self, engine: Engine) -> Option<Fit> {
        let of_engine = self.rows.iter().filter(|row| row.engine == engine);
        let points = of_engine.map(|row| (row.clauses as f64, row.summary.median_ms));
        let (fixed_ms, clause_ms) = line_through(&points.collect::<Vec<_>>())?;
        Some(Fit { engine, fixed_ms, clause_ms, growth: self.growth(engine)? })
    }

    pub fn fits(&self) -> Vec<Fit> {
        Engine::ALL.into_iter().filter_map(|engine| self.fit(engine)).collect()
    }
}

/// Measures. All engines at all numbers of clauses take turns with each other, so that a
/// disturbance does not meet one number alone and so pass for a slope.
pub fn run(context: &Context, plan: &Plan, observer: &mut dyn Observer) -> Result<Table> {
    let effort = Effort::single(context, Rounds::Exactly(plan.runs));
    let cases = cases(context, plan)?;
    let many = if plan.steps > 0 { &plan.clauses[..] } else { &[] };
    let turns = cases.len() as u64 * effort.turns() + many.len() as u64;
    let mut meter = Meter::new(observer, turns);
    let outcome = runner::measure(cases, &effort, &mut meter)?;
    let mut table = Table { stopped: !outcome.finished, ..Table::default() };
    table.rows = outcome.measured.iter().map(Case::row).collect();
    for (case, error) in outcome.skipped {
        if table.skipped.iter().all(|(engine, _)| *engine != case.engine) {
            table.skipped.push((case.engine, error.to_string()));
        }
    }
    for clauses in many {
        if table.stopped {
            break;
        }
        table.many.push(Many::measure(context, plan, *clauses)?);
        table.stopped = !meter.go_on(1);
    }
    Ok(table)
}

/// A point on its way.
struct Case<'a> {
    context: &'a Context,
    engine: Engine,
    cnf: Rc<Cnf>,
    iterations: u64,
    evaluator: Option<Box<dyn Evaluator>>,
}

fn cases<'a>(context: &'a Context, plan: &Plan) -> Result<Vec<Case<'a>>> {
    let mut cases = Vec::new();
    for clauses in &plan.clauses {
        let cnf = Rc::new(random_cnf(program::MAX_VARIABLES, *clauses, 3, 1)?);
        let case = |engine| {
            let (cnf, iterations) = (cnf.clone(), plan.iterations);
            Case { context, engine, cnf, iterations, evaluator: None }
        };
        cases.extend(Engine::ALL.map(case));
    }
    Ok(cases)
}

impl runner::Case for Case<'_> {
    type Time = Duration;

    fn prepare(&mut self) -> Result<()> {
        self.evaluator = Some(self.engine.evaluator(self.context, &self.cnf)?);
        Ok(())
    }

    fn check(&mut self) -> Result<Comparison> {
        let Some(evaluator) = &mut self.evaluator else { return Ok(Comparison::WRONG) };
        let right = counts_right(&self.cnf, evaluator.as_mut())?;
        Ok(if right { Comparison::RIGHT } else { Comparison::WRONG })
    }

    fn time(&mut self, _: u64) -> Result<Duration> {
        let Some(evaluator) = &mut self.evaluator else { return Ok(Duration::ZERO) };
        let outcome = search(&self.cnf, evaluator.as_mut(), self.iterations)?;
        let iterations = (outcome.evaluations / self.cnf.len() as u64).max(1);
        Ok(outcome.elapsed.div_f64(iterations as f64))
    }

    fn on_host(&self) -> bool {
        matches!(self.engine, Engine::Host | Engine::Simulator)
    }

    fn release(&mut self) {
        self.evaluator = None;
    }
}

impl Case<'_> {
    fn row(measured: &Measured<Self>) -> Row {
        let (engine, clauses) = (measured.case.engine, measured.case.cnf.len());
        Row { engine, clauses, summary: measured.summary(), right: measured.comparison.is_right() }
    }
}

fn search(cnf: &Cnf, evaluator: &mut dyn Evaluator, iterations: u64) -> Result<Outcome, SatError> {
    let limits = Limits { flips: iterations, restarts: u64::MAX };
    greedy::solve(cnf, evaluator, 1, limits, &mut ())
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts as plain loops do, and one clause fewer where the first variable is true.
    struct Forgetful<'a>(&'a Cnf);

    impl Evaluator for Forgetful<'_> {
        fn satisfied(&mut self, assignment: &[bool]) -> Result<usize, SatError> {
            Ok(satisfied(self.0, assignment) - usize::from(assignment[0]))
        }
    }

    #[test]
    fn one_clause_that_is_not_counted_is_noticed() {
        let cnf = random_cnf(20, 100, 3, 1).unwrap();
        let mut right = quadrille_vp::sat::greedy::CpuEvaluator::new(&cnf).unwrap();
        assert!(counts_right(&cnf, &mut right).unwrap());
        assert!(!counts_right(&cnf, &mut Forgetful(&cnf)).unwrap());
    }

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
