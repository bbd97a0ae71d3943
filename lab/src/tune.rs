//! The tuner's search: which method, with which options, multiplies fastest here.
//!
//! For each size, every candidate runs once, then those that are nearly the fastest alternate
//! until a median can be trusted. Whoever's result differs from double precision by more than
//! rounding explains is out, however fast.

mod candidates;

use quadrille::gl::Context;
use quadrille::observer::{Control, Observer, Progress};
use quadrille::stream::choice::Entry;

use self::candidates::candidates;
use super::Error;
use super::matmul::{self, Contender, Group, Plan, Row, Table};

/// The results.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Outcome {
    /// The best of each size, in the order of the sizes.
    pub best: Vec<Entry>,
    /// Candidates whose results were wrong.
    pub dropped: Vec<Dropped>,
    /// Whether the observer stopped it: the size that was not finished is left out.
    pub stopped: bool,
}

/// A candidate whose result was wrong.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Dropped {
    /// Rows and columns of the matrices.
    pub size: usize,
    /// The method and its options.
    pub choice: String,
    /// Its largest error.
    pub max_error: f64,
}

/// Candidates that take so much longer than the fastest are out after their first run.
const NEAR: f64 = 1.5;
/// Most that go on.
const FINALISTS: usize = 5;
/// Runs of each of them.
const RUNS: usize = 5;

/// Searches for the multiply of floats.
pub fn run(
    context: &Context,
    sizes: &[usize],
    observer: &mut dyn Observer,
) -> Result<Outcome, Error> {
    let mut outcome = Outcome::default();
    let mut share = Share::new(sizes, observer);
    for size in sizes {
        let all = candidates(*size, context.abilities());
        let first = measure_group(context, *size, all, 1, &mut share)?;
        let finalists = if share.stopped { Vec::new() } else { outcome.near_the_best(&first) };
        if !finalists.is_empty() {
            let last = measure_group(context, *size, finalists, RUNS, &mut share)?;
            if !share.stopped {
                outcome.keep_best(&last);
            }
        }
        if share.stopped {
            outcome.stopped = true;
            break;
        }
    }
    Ok(outcome)
}

fn measure_group(
    context: &Context,
    n: usize,
    contenders: Vec<Contender>,
    runs: usize,
    share: &mut Share<'_>,
) -> Result<Table, Error> {
    let plan = Plan { groups: vec![Group { n, contenders }], runs: Some(runs) };
    let table =
        matmul::run::<f32>(context, &plan, &mut |progress: &Progress| share.tell(progress))?;
    share.race_done(n);
    Ok(table)
}

impl Outcome {
    /// The right ones that came near the fastest, fastest first; notes the wrong ones.
    fn near_the_best(&mut self, table: &Table) -> Vec<Contender> {
        let mut right = self.only_right(table);
        right.sort_by(|one, other| time(one).total_cmp(&time(other)));
        let fastest = right.first().map_or(0.0, |row| time(row));
        let near = right.iter().filter(|row| time(row) <= NEAR * fastest);
        near.take(FINALISTS).map(|row| row.contender).collect()
    }

    fn keep_best(&mut self, table: &Table) {
        let right = self.only_right(table);
        let best = right.iter().min_by(|one, other| time(one).total_cmp(&time(other)));
        self.best.extend(best.map(|row| Entry {
            size: row.n,
            choice: row.contender.to_string(),
            gflops: row.summary.rate(2.0 * (row.n as f64).powi(3)) / 1e9,
        }));
    }

    fn only_right<'a>(&mut self, table: &'a Table) -> Vec<&'a Row> {
        let (right, wrong): (Vec<&Row>, Vec<&Row>) =
            table.rows.iter().partition(|row| row.comparison.is_right());
        self.dropped.extend(wrong.into_iter().map(|row| Dropped {
            size: row.n,
            choice: row.contender.to_string(),
            max_error: row.comparison.max_error,
        }));
        right
    }
}

fn time(row: &Row) -> f64 {
    row.summary.median_ms
}

/// The progress of all races, each of which tells its own from 0 to the end.
struct Share<'a> {
    observer: &'a mut dyn Observer,
    total: f64,
    done: f64,
    group: f64,
    stopped: bool,
}

/// Steps of the whole, as it is told.
const STEPS: f64 = 1e4;
/// Races of a size: the first, and the finalists'.
const RACES: f64 = 2.0;

/// About the time of a size: beside arithmetic, a set-up for each candidate.
fn cost(size: usize) -> f64 {
    1e8 + (size as f64).powi(3)
}

impl Share<'_> {
    fn new<'a>(sizes: &[usize], observer: &'a mut dyn Observer) -> Share<'a> {
        let total = RACES * sizes.iter().map(|size| cost(*size)).sum::<f64>();
        let group = sizes.first().map_or(0.0, |size| cost(*size));
        Share { observer, total, done: 0.0, group, stopped: false }
    }

    fn tell(&mut self, progress: &Progress) -> Control {
        let part = progress.done as f64 / progress.expected.unwrap_or(progress.done).max(1) as f64;
        let done = (self.done + part.min(1.0) * self.group) / self.total.max(1.0);
        let (done, expected) = ((done * STEPS) as u64, Some(STEPS as u64));
        let control = self.observer.observe(&Progress { done, expected, residual: None });
        self.stopped |= control == Control::Stop;
        control
    }

    fn race_done(&mut self, size: usize) {
        self.done += cost(size);
        self.group = cost(size);
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests;
