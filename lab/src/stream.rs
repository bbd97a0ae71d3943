//! Simple streams: saxpy, reductions, the cost of a pass, transfers both ways.
//!
//! Operations take turns, round after round. Every result is compared with double precision before
//! the first run.

mod operation;
mod vectors;

use std::time::{Duration, Instant};

use quadrille::gl::Context;
use quadrille::observer::{Control, Observer, Progress};

pub use self::operation::Operation;

use self::vectors::Vectors;
use super::twin::Comparison;
use super::{Error, Summary};

/// One line of the table. Times are of one operation.
#[derive(Clone, Debug)]
#[non_exhaustive]
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

/// The whole table.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
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
    let mut table = Table::default();
    let turns = (plan.sizes.len() * Operation::ON_VECTORS.len() + 1) * plan.runs;
    let mut done = 0;
    let mut go_on = || {
        done += 1;
        let progress = Progress { done, expected: Some(turns as u64), residual: None };
        observer.observe(&progress) == Control::Continue
    };
    for n in &plan.sizes {
        let rows = run_rounds(context, &Operation::ON_VECTORS, *n, plan.runs, &mut go_on)?;
        let Some(rows) = rows else { return Ok(Table { stopped: true, ..table }) };
        table.rows.extend(rows);
    }
    match run_rounds(context, &[Operation::Pass], 4, plan.runs, &mut go_on)? {
        Some(rows) => table.rows.extend(rows),
        None => table.stopped = true,
    }
    Ok(table)
}

struct Case {
    operation: Operation,
    operations: u64,
    comparison: Comparison,
    times: Vec<Duration>,
}

/// Rounds over some operations at one size; nothing where `go_on` ended them.
fn run_rounds(
    context: &Context,
    operations: &[Operation],
    n: usize,
    runs: usize,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<Option<Vec<Row>>, Error> {
    let mut vectors = Vectors::new(context, n)?;
    let mut cases = Vec::new();
    for operation in operations {
        let comparison = vectors.check(*operation)?;
        let start = Instant::now();
        vectors.perform(*operation, 1)?;
        let one = start.elapsed().as_secs_f64().max(1e-6);
        let operations = match operation {
            Operation::Pass => PASSES,
            _ => ((RUN.as_secs_f64() / one).ceil() as u64).clamp(1, 1000),
        };
        cases.push(Case { operation: *operation, operations, comparison, times: Vec::new() });
    }
    for _ in 0..runs {
        for case in &mut cases {
            case.times.push(vectors.time(case.operation, case.operations)?);
            if !go_on() {
                return Ok(None);
            }
        }
    }
    Ok(Some(cases.iter().map(|case| case.row(vectors.len())).collect()))
}

impl Case {
    fn row(&self, n: usize) -> Row {
        let n = if self.operation == Operation::Pass { 1 } else { n };
        let summary = Summary::of(&self.times, self.operations);
        Row {
            operation: self.operation,
            n,
            summary,
            operations: self.operations,
            rate: self.operation.rate(n, &summary),
            comparison: self.comparison,
        }
    }
}
