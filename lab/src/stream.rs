//! Simple streams: saxpy, reductions, the cost of a pass, transfers both ways.
//!
//! Operations take turns, round after round. Every result is compared with double precision before
//! the first run.

mod operation;
mod vectors;

use std::cell::RefCell;
use std::time::Duration;

use quadrille::gl::Context;
use quadrille::observer::Observer;

pub use self::operation::Operation;

use self::vectors::Vectors;
use super::runner::{self, Effort, Measured, Meter, Rounds};
use super::table::{Column, TimedAndCompared, checked, column, only_json, timing};
use super::twin::Comparison;
use super::{Error, Summary};

/// One line of the table. Times are of one operation.
#[derive(Clone, Debug)]
pub struct Row {
    /// The operation that was timed.
    pub operation: Operation,
    /// Elements in a vector.
    pub n: usize,
    /// How long it took.
    pub summary: Summary,
    /// Operations in each run.
    pub operations: u64,
    /// In [`Operation::unit`].
    pub rate: f64,
    /// Against double precision.
    pub comparison: Comparison,
}

impl TimedAndCompared for Row {
    fn summary(&self) -> &Summary {
        &self.summary
    }

    fn comparison(&self) -> Comparison {
        self.comparison
    }
}

/// The columns of the table.
pub fn columns() -> Vec<Column<Row>> {
    let mut columns = vec![
        column("operation", "operation", "", |row: &Row| row.operation.name().into()),
        column("n", "n", "", |row| row.n.into()),
        column("rate", "rate", "", |row| row.rate.into()),
        column("unit", "unit", "", |row| row.operation.unit().into()),
        only_json("operations", |row| row.operations.into()),
    ];
    columns.extend(timing());
    columns.extend(checked());
    columns
}

/// The whole table.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// Sizes in order, then passes.
    pub rows: Vec<Row>,
    /// Whether the observer stopped it: what was not finished is left out.
    pub stopped: bool,
}

/// The measurements to make.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Elements of the vectors.
    pub sizes: Vec<usize>,
    /// Runs of each.
    pub runs: usize,
}

/// A run takes about this long.
const RUN: Duration = Duration::from_millis(30);
/// Passes in a run: each needs the one before.
const PASSES: u64 = 1000;

/// Measures.
pub fn run(context: &Context, plan: &Plan, observer: &mut dyn Observer) -> Result<Table, Error> {
    let effort = Effort::new(context, Rounds::Exactly(plan.runs), RUN, [1, 1000]);
    let passes = Effort { run: Duration::ZERO, parts: [PASSES; 2], ..effort };
    let operations = plan.sizes.len() * Operation::ON_VECTORS.len() + 1;
    let mut meter = Meter::new(observer, operations as u64 * effort.turns());
    let on_vectors = plan.sizes.iter().map(|n| (*n, &Operation::ON_VECTORS[..], effort));
    let mut table = Table::default();
    for (n, operations, effort) in on_vectors.chain([(4, &[Operation::Pass][..], passes)]) {
        let vectors = RefCell::new(Vectors::new(context, n)?);
        let case = |operation: &Operation| Case { operation: *operation, vectors: &vectors };
        let cases = operations.iter().map(case).collect();
        let outcome = runner::measure(cases, &effort, &mut meter)?;
        if let Some((_, error)) = outcome.skipped.into_iter().next() {
            return Err(error);
        }
        if !outcome.finished {
            return Ok(Table { stopped: true, ..table });
        }
        table.rows.extend(outcome.measured.iter().map(Case::row));
    }
    Ok(table)
}

/// An operation on vectors that all of its size share.
struct Case<'a> {
    operation: Operation,
    vectors: &'a RefCell<Vectors>,
}

impl runner::Case for Case<'_> {
    type Time = Duration;

    fn check(&mut self) -> Result<Comparison, Error> {
        self.vectors.borrow_mut().check(self.operation)
    }

    fn time(&mut self, parts: u64) -> Result<Duration, Error> {
        self.vectors.borrow_mut().time(self.operation, parts)
    }
}

impl Case<'_> {
    fn row(measured: &Measured<Self>) -> Row {
        let Measured { case: Case { operation, vectors }, comparison, parts, .. } = measured;
        let n = if *operation == Operation::Pass { 1 } else { vectors.borrow().len() };
        let summary = measured.summary();
        let (rate, comparison) = (operation.rate(n, &summary), *comparison);
        Row { operation: *operation, n, summary, operations: *parts, rate, comparison }
    }
}
