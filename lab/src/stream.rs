//! Simple streams: saxpy, reductions, the cost of a pass, transfers both ways.
//!
//! Operations take turns, round after round. Every result is compared with double precision before
//! the first run.

mod vectors;

use std::time::{Duration, Instant};

use quadrille::gl::Context;
use quadrille::observer::{Control, Observer, Progress};

use self::vectors::Vectors;
use super::twin::Comparison;
use super::{Error, Summary};

/// What is timed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// y := a x + y, each after the one before: 12 bytes an element.
    Saxpy,
    /// The sum, on the host: 4 bytes an element.
    Sum,
    /// The dot product, on the host: 8 bytes an element.
    Dot,
    /// The 2-norm, on the host: 4 bytes an element.
    Norm,
    /// From the host to the device: 4 bytes an element.
    Upload,
    /// Back, waiting for it: 4 bytes an element.
    Readback,
    /// Back through a pixel buffer and a fence: 4 bytes an element.
    ReadbackLater,
    /// A pass over one texel that needs the one before it.
    Pass,
}

impl Operation {
    /// All of them that work on vectors.
    pub const ON_VECTORS: [Operation; 7] = [
        Operation::Saxpy,
        Operation::Sum,
        Operation::Dot,
        Operation::Norm,
        Operation::Upload,
        Operation::Readback,
        Operation::ReadbackLater,
    ];

    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Operation::Saxpy => "saxpy",
            Operation::Sum => "sum",
            Operation::Dot => "dot",
            Operation::Norm => "norm",
            Operation::Upload => "upload",
            Operation::Readback => "readback",
            Operation::ReadbackLater => "readback-later",
            Operation::Pass => "pass",
        }
    }

    /// The unit of its rate.
    pub fn unit(self) -> &'static str {
        if self == Operation::Pass { "us/pass" } else { "GB/s" }
    }

    /// Bytes that count for each element.
    pub fn bytes(self) -> usize {
        match self {
            Operation::Saxpy => 12,
            Operation::Dot => 8,
            _ => 4,
        }
    }

    fn rate(self, n: usize, summary: &Summary) -> f64 {
        match self {
            Operation::Pass => summary.median_ms * 1e3,
            _ => summary.rate((self.bytes() * n) as f64) / 1e9,
        }
    }
}

/// One line of the table. Times are of one operation.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Row {
    /// What was timed.
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

/// What to measure.
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
        let rows = race(context, &Operation::ON_VECTORS, *n, plan.runs, &mut go_on)?;
        let Some(rows) = rows else { return Ok(Table { stopped: true, ..table }) };
        table.rows.extend(rows);
    }
    match race(context, &[Operation::Pass], 4, plan.runs, &mut go_on)? {
        Some(rows) => table.rows.extend(rows),
        None => table.stopped = true,
    }
    Ok(table)
}

struct Lane {
    operation: Operation,
    operations: u64,
    comparison: Comparison,
    times: Vec<Duration>,
}

/// Rounds over some operations at one size; nothing where `go_on` ended them.
fn race(
    context: &Context,
    operations: &[Operation],
    n: usize,
    runs: usize,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<Option<Vec<Row>>, Error> {
    let mut vectors = Vectors::new(context, n)?;
    let mut lanes = Vec::new();
    for operation in operations {
        let comparison = vectors.check(*operation)?;
        let start = Instant::now();
        vectors.perform(*operation, 1)?;
        let one = start.elapsed().as_secs_f64().max(1e-6);
        let operations = match operation {
            Operation::Pass => PASSES,
            _ => ((RUN.as_secs_f64() / one).ceil() as u64).clamp(1, 1000),
        };
        lanes.push(Lane { operation: *operation, operations, comparison, times: Vec::new() });
    }
    for _ in 0..runs {
        for lane in &mut lanes {
            lane.times.push(vectors.time(lane.operation, lane.operations)?);
            if !go_on() {
                return Ok(None);
            }
        }
    }
    Ok(Some(lanes.iter().map(|lane| lane.row(vectors.len())).collect()))
}

impl Lane {
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
