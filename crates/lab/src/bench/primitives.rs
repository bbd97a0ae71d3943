//! The primitives: scans, selections and sorts of vectors by each engine.
//!
//! Tasks take turns, round after round, and every result is checked before the first run: floats
//! against double precision, integers for being the right ones.

mod task;
mod work;

use std::time::Duration;

use quadrille::Observer;
use quadrille::gl::Context;
use quadrille::stream::Engine;

pub use self::task::Task;

use self::work::begin;
use super::Table;
use super::benchmark::Benchmark;
use super::runner::{self, Effort, Measured, Meter, Rounds};
use crate::report::table::{Column, checked, column, only_json, timed_and_compared, timing};
use crate::report::{Figure, Line};
use crate::twin::Comparison;
use crate::{Result, Summary};

/// A row of the table. Times are of one call.
#[derive(Clone, Debug)]
pub struct Row {
    /// The task that was timed.
    pub task: Task,
    /// The stage that did the arithmetic.
    pub engine: Engine,
    /// The numbers of the vector.
    pub n: usize,
    /// The times of the runs.
    pub summary: Summary,
    /// The calls in each run.
    pub calls: u64,
    /// The comparison with the host's result.
    pub comparison: Comparison,
}

timed_and_compared!(Row);

impl Row {
    /// The rate in [`Task::unit`].
    pub fn rate(&self) -> f64 {
        self.summary.rate((self.task.counted() * self.n) as f64) / 1e9
    }
}

/// The columns of the table.
pub fn columns() -> Vec<Column<Row>> {
    let mut columns = vec![
        column("task", "task", "", |row: &Row| row.task.name().into()),
        column("engine", "engine", "", |row| row.engine.name().into()),
        column("n", "n", "", |row| row.n.into()),
        column("rate", "rate", "", |row| row.rate().into()),
        column("unit", "unit", "", |row| row.task.unit().into()),
        only_json("calls", |row| row.calls.into()),
    ];
    columns.extend(timing());
    columns.extend(checked());
    columns
}

/// A figure for each unit and engine: a line for each task.
pub fn figures(rows: &[Row]) -> Vec<Figure> {
    let figure = |unit: &str, engine: Engine| {
        let line = |task: &Task| {
            let own = rows.iter().filter(|row| row.task == *task && row.engine == engine);
            Line::measured(task.name(), own.map(|row| [row.n as f64, row.rate()]))
        };
        let tasks = Task::ALL.iter().filter(|task| task.unit() == unit);
        let id = format!("primitives-{unit}-{engine}").replace('/', "-");
        Figure::lines(id, format!("primitives, {engine} engine"), ["n", unit], tasks.map(line))
    };
    let units = ["GB/s", "G/s"].into_iter();
    units.flat_map(|unit| Engine::ALL.map(|engine| figure(unit, engine))).flatten().collect()
}

/// The measurements to make.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The numbers of the vectors.
    pub sizes: Vec<usize>,
    /// The tasks.
    pub tasks: Vec<Task>,
    /// The engines; those that the context lacks are left out.
    pub engines: Vec<Engine>,
    /// Runs of each.
    pub runs: usize,
}

/// A run takes about this long.
const RUN: Duration = Duration::from_millis(30);

/// Measures.
pub fn run(context: &Context, plan: &Plan, observer: &mut dyn Observer) -> Result<Table<Row>> {
    let effort = Effort::new(context, Rounds::Exactly(plan.runs), RUN, [1, 1000]);
    let mut engines = Engine::of(context);
    engines.retain(|engine| plan.engines.contains(engine));
    let cases = plan.sizes.len() * plan.tasks.len() * engines.len();
    let mut meter = Meter::new(observer, cases as u64 * effort.turns());
    let mut table = Table::new();
    for n in &plan.sizes {
        let of_task = |task: &Task| {
            let task = *task;
            engines.iter().map(move |engine| Case::new(context, task, *engine, *n))
        };
        let cases = plan.tasks.iter().flat_map(of_task).collect();
        let outcome = runner::measure(cases, &effort, &mut meter)?;
        for (case, error) in &outcome.skipped {
            table.left_out.push((case.name(), error.to_string()));
        }
        table.rows.extend(outcome.measured.iter().map(Case::row));
        if !outcome.finished {
            table.stopped = true;
            break;
        }
    }
    Ok(table)
}

/// A task on an engine at a size.
struct Case<'a> {
    context: &'a Context,
    task: Task,
    engine: Engine,
    n: usize,
    work: Option<Box<dyn Benchmark>>,
}

impl<'a> Case<'a> {
    fn new(context: &'a Context, task: Task, engine: Engine, n: usize) -> Case<'a> {
        Case { context, task, engine, n, work: None }
    }

    fn name(&self) -> String {
        format!("{} of {} by the {} engine", self.task.name(), self.n, self.engine)
    }

    fn work(&mut self) -> Result<&mut dyn Benchmark> {
        let work = match self.work.take() {
            Some(work) => work,
            None => begin(self.context, self.task, self.engine, self.n)?,
        };
        Ok(self.work.insert(work).as_mut())
    }

    fn row(measured: &Measured<Self>) -> Row {
        let Measured { case, comparison, parts, .. } = measured;
        let Case { task, engine, n, .. } = *case;
        let (summary, calls, comparison) = (measured.summary(), *parts, *comparison);
        Row { task, engine, n, summary, calls, comparison }
    }
}

impl runner::Case for Case<'_> {
    type Time = Duration;

    fn prepare(&mut self) -> Result<()> {
        self.work().map(drop)
    }

    fn check(&mut self) -> Result<Comparison> {
        let work = self.work()?;
        work.run()?;
        work.compare()
    }

    fn time(&mut self, parts: u64) -> Result<Duration> {
        let (context, clock) = (self.context, self.task.clock(self.context));
        let work = self.work()?;
        let calls = || (0..parts).try_for_each(|_| work.run());
        Ok(clock.time(context, calls)?.1)
    }

    fn release(&mut self) {
        self.work = None;
    }

    fn bytes(&self) -> usize {
        self.task.arrays() * 4 * self.n
    }
}
