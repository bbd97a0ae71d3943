//! Simple streams: the vector operations of each engine, the cost of a pass, transfers both ways.
//!
//! Operations take turns, round after round. Every result is compared with double precision before
//! the first run.

mod counter;
mod figures;
mod operation;
mod vectors;

use std::cell::RefCell;
use std::time::{Duration, Instant};

use quadrille::Observer;
use quadrille::gl::Context;
use quadrille::stream::Engine;

pub use self::figures::figures;
pub use self::operation::Operation;

pub use self::counter::adder;
pub use self::counter::sources;
use self::vectors::Vectors;
use super::Table;
use super::runner::{self, Effort, Measured, Meter, Rounds};
use crate::report::table::{Column, checked, column, only_json, timed_and_compared, timing};
use crate::twin::Comparison;
use crate::{Error, Result, Summary};

/// A row of the table. Times are of one operation.
#[derive(Clone, Debug)]
pub struct Row {
    /// The operation that was timed.
    pub operation: Operation,
    /// The stage that did the arithmetic; none of transfers.
    pub engine: Option<Engine>,
    /// Elements in a vector.
    pub n: usize,
    /// The times of the runs.
    pub summary: Summary,
    /// Operations in each run.
    pub operations: u64,
    /// The rate in [`Operation::unit`].
    pub rate: f64,
    /// The rate as a share of that of the fastest copy of as many elements, of operations on
    /// vectors.
    pub of_copy: Option<f64>,
    /// The comparison with double precision.
    pub comparison: Comparison,
}

timed_and_compared!(Row);

/// The columns of the table.
pub fn columns() -> Vec<Column<Row>> {
    let mut columns = vec![
        column("operation", "operation", "", |row: &Row| row.operation.name().into()),
        column("engine", "engine", "", |row| row.engine.map(Engine::name).into()),
        column("n", "n", "", |row| row.n.into()),
        column("rate", "rate", "", |row| row.rate.into()),
        column("unit", "unit", "", |row| row.operation.unit().into()),
        column("copy_percent", "of copy", "%", |row| row.of_copy.map(|share| 100.0 * share).into()),
        only_json("operations", |row| row.operations.into()),
    ];
    columns.extend(timing());
    columns.extend(checked());
    columns
}

/// The measurements to make.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Elements of the vectors.
    pub sizes: Vec<usize>,
    /// The operations.
    pub operations: Vec<Operation>,
    /// Runs of each.
    pub runs: usize,
    /// A time within which sizes that would exceed it, or the memory, are left out.
    pub within: Option<Duration>,
}

impl Plan {
    /// Sizes of a figure.
    pub const SIZES: [usize; 10] =
        [1 << 10, 1 << 12, 1 << 14, 1 << 16, 1 << 18, 1 << 20, 1 << 22, 1 << 24, 1 << 26, 1 << 28];
}

/// A run takes about this long.
const RUN: Duration = Duration::from_millis(30);
/// Passes in a run: each needs the one before.
const PASSES: u64 = 1000;

/// The operations that are measured together, each on an engine or on none.
type Batch = Vec<(Operation, Option<Engine>)>;

/// Operations on vectors by every engine, and transfers.
fn sized(context: &Context, operations: &[Operation]) -> Batch {
    let engines = Engine::of(context);
    let on_engines = |operation: Operation| match operation.has_engine() {
        true => engines.iter().map(|engine| (operation, Some(*engine))).collect(),
        false => vec![(operation, None)],
    };
    let sized = operations.iter().filter(|operation| !operation.is_fixed());
    sized.flat_map(|operation| on_engines(*operation)).collect()
}

fn fixed(context: &Context, operations: &[Operation]) -> Batch {
    let has_compute = context.abilities().compute.is_some();
    let runs = |operation: &&Operation| {
        operation.is_fixed() && (has_compute || **operation != Operation::Dispatch)
    };
    operations.iter().filter(runs).map(|operation| (*operation, None)).collect()
}

/// Measures, and at the end what costs the same at every size.
pub fn run(context: &Context, plan: &Plan, observer: &mut dyn Observer) -> Result<Table<Row>> {
    let effort = Effort::new(context, Rounds::Exactly(plan.runs), RUN, [1, 1000]);
    let fixed_effort = Effort { run: Duration::ZERO, parts: [PASSES; 2], ..effort };
    let (sized, fixed) = (sized(context, &plan.operations), fixed(context, &plan.operations));
    let cases = plan.sizes.len() * sized.len() + fixed.len();
    let mut meter = Meter::new(observer, cases as u64 * effort.turns());
    let mut table = Table::new();
    let (begun, mut last) = (Instant::now(), None);
    for (index, n) in plan.sizes.iter().enumerate() {
        let size_begun = Instant::now();
        let reason = match plan.within {
            Some(within) if begun.elapsed() + expected(last, *n) > within => {
                Some(format!("it would take longer than {} s in all", within.as_secs()))
            }
            _ => batch(context, *n, &sized, &effort, &mut meter, &mut table)
                .map(|()| None)
                .or_else(|error| left_out(plan, error))?,
        };
        if let Some(reason) = reason {
            let rest = plan.sizes.iter().skip(index);
            table.left_out = rest.map(|n| (format!("{n} elements"), reason.clone())).collect();
            break;
        }
        if table.stopped {
            return Ok(table);
        }
        last = Some((*n, size_begun.elapsed()));
    }
    if !fixed.is_empty() {
        batch(context, 4, &fixed, &fixed_effort, &mut meter, &mut table)?;
    }
    Ok(table)
}

/// The time that a size should take after another one: in proportion, which is too much where calls
/// take the most.
fn expected(last: Option<(usize, Duration)>, n: usize) -> Duration {
    last.map_or(Duration::ZERO, |(before, took)| took.mul_f64(n as f64 / before.max(1) as f64))
}

/// Returns the reason why a size is left out of a plan that allows it.
fn left_out(plan: &Plan, error: Error) -> Result<Option<String>> {
    match plan.within.is_some() && error.kind().is_device_limit() {
        true => Ok(Some(error.to_string())),
        false => Err(error),
    }
}

/// Measures at one size.
fn batch(
    context: &Context,
    n: usize,
    batch: &Batch,
    effort: &Effort,
    meter: &mut Meter<'_>,
    table: &mut Table<Row>,
) -> Result<()> {
    let vectors = RefCell::new(Vectors::new(context, n)?);
    let case = |(operation, engine): &(Operation, Option<Engine>)| Case {
        operation: *operation,
        engine: *engine,
        vectors: &vectors,
    };
    let outcome = runner::measure(batch.iter().map(case).collect(), effort, meter)?;
    if let Some((_, error)) = outcome.skipped.into_iter().next() {
        return Err(error);
    }
    table.stopped = !outcome.finished;
    if outcome.finished {
        let mut rows: Vec<Row> = outcome.measured.iter().map(Case::row).collect();
        compare_with_copy(&mut rows);
        table.rows.append(&mut rows);
    }
    Ok(())
}

/// Sets the share of the rate of the fastest copy, whichever engine made it.
fn compare_with_copy(rows: &mut [Row]) {
    let copies = rows.iter().filter(|row| row.operation == Operation::Copy);
    let Some(fastest) = copies.map(|row| row.rate).max_by(f64::total_cmp) else { return };
    for row in rows.iter_mut().filter(|row| row.engine.is_some()) {
        row.of_copy = Some(row.rate / fastest);
    }
}

/// An operation on vectors that all of its size share.
struct Case<'a> {
    operation: Operation,
    engine: Option<Engine>,
    vectors: &'a RefCell<Vectors>,
}

impl runner::Case for Case<'_> {
    type Time = Duration;

    fn check(&mut self) -> Result<Comparison> {
        self.vectors.borrow_mut().check(self.operation, self.engine)
    }

    fn time(&mut self, parts: u64) -> Result<Duration> {
        self.vectors.borrow_mut().time(self.operation, self.engine, parts)
    }
}

impl Case<'_> {
    fn row(measured: &Measured<Self>) -> Row {
        let Measured { case, comparison, parts, .. } = measured;
        let Case { operation, engine, vectors } = *case;
        let n = if operation.is_fixed() { 1 } else { vectors.borrow().len() };
        let summary = measured.summary();
        let (rate, comparison) = (operation.rate(n, &summary), *comparison);
        Row { operation, engine, n, summary, operations: *parts, rate, of_copy: None, comparison }
    }
}
